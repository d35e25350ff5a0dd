export class GrowthView { constructor(root, tutor) { this.root = root; this.tutor = tutor; } async refresh() {} }
