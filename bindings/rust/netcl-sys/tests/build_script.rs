//! What the build script says when it does not find the library.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The build script as a program, in a folder of its own.
fn script() -> (PathBuf, PathBuf) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("build_script");
    std::fs::create_dir_all(&folder).unwrap();
    let program = folder.join("script");
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("build.rs");
    let done = Command::new(compiler)
        .args(["--edition", "2021", "-o"])
        .arg(&program)
        .arg(source)
        .status()
        .unwrap();
    assert!(done.success());
    (folder, program)
}

/// Runs it with a pkg-config that says that netcl lies in `folder`.
fn run(program: &Path, folder: &Path, linked_statically: bool) -> Output {
    let answer = folder.join("pkg-config");
    let text = format!("#!/bin/sh\ncase $1 in --variable=*) echo '{}' ;; esac\n", folder.display());
    std::fs::write(&answer, text).unwrap();
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(&answer, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = Command::new(program);
    command.env_clear().env("PATH", "/usr/bin:/bin").env("PKG_CONFIG", answer);
    if linked_statically {
        command.env("CARGO_FEATURE_STATIC", "1");
    }
    command.output().unwrap()
}

#[test]
fn a_missing_archive_is_said_before_the_linker_does() {
    let (folder, program) = script();
    let archive = folder.join("libnetcl.a");
    let _ = std::fs::remove_file(&archive);
    assert!(run(&program, &folder, false).status.success());
    let refused = run(&program, &folder, true);
    let text = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(1), "{text}");
    for part in ["`static`", "libnetcl.a", "NETCL_LIB_DIR", folder.to_str().unwrap()] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    std::fs::write(&archive, "").unwrap();
    let found = run(&program, &folder, true);
    let text = String::from_utf8_lossy(&found.stdout).into_owned();
    assert!(found.status.success() && text.contains("rustc-link-lib=static=netcl"), "{text}");
}
