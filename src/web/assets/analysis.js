export class AnalysisView { constructor(root, tutor) { this.root = root; this.tutor = tutor; } async refresh() {} }
