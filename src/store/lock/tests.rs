use super::*;

const METHODS: [LockMethod; 2] = [LockMethod::Automatic, LockMethod::Exclusive];

#[test]
fn the_second_process_is_told_who_holds_the_folder() {
    for method in METHODS {
        let folder = tempfile::tempdir().unwrap();
        let lock = FolderLock::take(folder.path(), method).unwrap();
        let refusal = FolderLock::take(folder.path(), method).unwrap_err().to_string();
        assert!(refusal.contains(&format!("process {}", std::process::id())), "{refusal}");
        assert!(refusal.contains(&machine::host()), "{refusal}");
        drop(lock);
        assert!(!folder.path().join(FILE).exists());
        assert_eq!(FolderLock::take(folder.path(), method).unwrap().taken_over, None);
    }
}

fn left_behind(folder: &Path, change: impl FnOnce(&mut Holder)) {
    let mut holder = Holder::this_process();
    change(&mut holder);
    fs::write(folder.join(FILE), serde_json::to_string(&holder).unwrap()).unwrap();
}

#[test]
fn the_lock_of_a_killed_process_is_taken_over() {
    for method in METHODS {
        for change in [
            |holder: &mut Holder| holder.process = u32::MAX - 1,
            |holder: &mut Holder| holder.began = Some(1),
            |holder: &mut Holder| holder.boot = "an earlier one".into(),
        ] {
            let folder = tempfile::tempdir().unwrap();
            left_behind(folder.path(), change);
            let lock = FolderLock::take(folder.path(), method).unwrap();
            assert!(lock.taken_over.as_deref().is_some_and(|who| who.contains("process")), "{lock:?}");
        }
    }
}

#[test]
fn both_methods_respect_each_other() {
    if machine::lists_processes() {
        for (first, second) in [(METHODS[0], METHODS[1]), (METHODS[1], METHODS[0])] {
            let folder = tempfile::tempdir().unwrap();
            let lock = FolderLock::take(folder.path(), first).unwrap();
            let refusal = FolderLock::take(folder.path(), second).unwrap_err().to_string();
            assert!(refusal.contains(&format!("process {}", std::process::id())), "{first:?}: {refusal}");
            drop(lock);
        }
    }
}

#[test]
fn the_guard_of_a_killed_process_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    left_behind(folder.path(), |holder| holder.process = u32::MAX - 1);
    fs::copy(folder.path().join(FILE), folder.path().join(GUARD)).unwrap();
    let lock = FolderLock::take(folder.path(), LockMethod::Exclusive).unwrap();
    assert!(lock.taken_over.is_some() && !folder.path().join(GUARD).exists());
}

/// A process that is slow to move a stale lock must not move the lock of another that was faster.
#[test]
fn the_lock_file_exists_while_it_is_taken_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(FILE);
    for _ in 0..200 {
        left_behind(folder.path(), |holder| holder.process = u32::MAX - 1);
        let done = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let lock = FolderLock::take(folder.path(), LockMethod::Exclusive).unwrap();
                done.store(true, std::sync::atomic::Ordering::SeqCst);
                std::mem::forget(lock);
            });
            while !done.load(std::sync::atomic::Ordering::SeqCst) {
                assert!(path.exists(), "another process could create it now");
            }
        });
    }
}

#[test]
fn the_lock_of_another_host_is_respected() {
    for method in METHODS {
        let folder = tempfile::tempdir().unwrap();
        left_behind(folder.path(), |holder| holder.host = "elsewhere".into());
        let refusal = FolderLock::take(folder.path(), method).unwrap_err().to_string();
        assert!(refusal.contains("elsewhere"), "{refusal}");
    }
}

/// Eight threads try to lock a folder at the same moment, with the methods in turn.
fn try_at_once(folder: &Path, methods: &[LockMethod], hold: Duration) {
    let holders = std::sync::atomic::AtomicUsize::new(0);
    let start = std::sync::Barrier::new(8);
    std::thread::scope(|scope| {
        for method in methods.iter().cycle().take(8) {
            let (holders, start) = (&holders, &start);
            scope.spawn(move || {
                start.wait();
                if let Ok(lock) = FolderLock::take(folder, *method) {
                    assert_eq!(holders.fetch_add(1, std::sync::atomic::Ordering::SeqCst), 0, "{methods:?}");
                    std::thread::sleep(hold);
                    holders.fetch_sub(1, std::sync::atomic::Ordering::SeqCst);
                    drop(lock);
                }
            });
        }
    });
}

#[test]
fn only_one_of_many_threads_gets_the_lock() {
    for methods in [&METHODS[..1], &METHODS[1..], &METHODS] {
        let folder = tempfile::tempdir().unwrap();
        left_behind(folder.path(), |holder| holder.process = u32::MAX - 1);
        try_at_once(folder.path(), methods, Duration::from_millis(20));
    }
}

#[test]
fn a_lock_without_a_name_is_never_seen() {
    for _ in 0..100 {
        let folder = tempfile::tempdir().unwrap();
        try_at_once(folder.path(), &METHODS, Duration::from_millis(1));
    }
}

#[cfg(unix)]
#[test]
fn a_link_in_place_of_the_lock_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("target"), "mine").unwrap();
    std::os::unix::fs::symlink(folder.path().join("target"), folder.path().join(FILE)).unwrap();
    assert!(FolderLock::take(folder.path(), LockMethod::Automatic).is_err());
    assert_eq!(fs::read_to_string(folder.path().join("target")).unwrap(), "mine");
}
