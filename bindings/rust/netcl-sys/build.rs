//! Finds the library: NETCL_LIB_DIR, else pkg-config. Nothing is compiled and no header is read.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{exit, Command};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    for name in ["NETCL_LIB_DIR", "NETCL_INCLUDE_DIR", "PKG_CONFIG", "PKG_CONFIG_PATH", "DOCS_RS"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    // Counts the calls of each function, for the tests of the safe layer (bindings/rust/check.sh).
    println!("cargo:rerun-if-env-changed=NETCL_COUNT_CALLS");
    if env::var_os("NETCL_COUNT_CALLS").is_some() {
        println!("cargo:rustc-cfg=netcl_count_calls");
    }
    // Documentation needs no library.
    if env::var_os("DOCS_RS").is_some() {
        return;
    }
    let linked_statically = env::var_os("CARGO_FEATURE_STATIC").is_some();
    let found = match env::var_os("NETCL_LIB_DIR") {
        Some(folder) => from_folder(Path::new(&folder), linked_statically),
        None => from_pkg_config().and_then(|found| with_archive(found, linked_statically)),
    };
    match found {
        Ok((library, header)) => {
            for folder in library {
                // A new library of the same name is linked again: a static one is kept in this crate.
                let file = folder.join(file_name(linked_statically));
                if file.exists() {
                    println!("cargo:rerun-if-changed={}", file.display());
                }
                println!("cargo:rustc-link-search=native={}", folder.display());
                println!("cargo:libdir={}", folder.display());
            }
            let header = env::var_os("NETCL_INCLUDE_DIR").map(PathBuf::from).or(header);
            if let Some(folder) = header {
                println!("cargo:include={}", folder.display());
            }
            if linked_statically {
                println!("cargo:rustc-link-lib=static=netcl");
                for name in ["m", "pthread", "dl"] {
                    println!("cargo:rustc-link-lib={name}");
                }
            } else {
                println!("cargo:rustc-link-lib=dylib=netcl");
            }
        }
        Err(why) => {
            eprintln!("netcl-sys cannot find the netcl library: {why}.");
            eprintln!("Do one of these:");
            eprintln!(
                "  * install netcl, so that `pkg-config --libs netcl` works (with a prefix of"
            );
            eprintln!("    your own: export PKG_CONFIG_PATH=PREFIX/lib/pkgconfig);");
            eprintln!("  * or build it and export NETCL_LIB_DIR=the folder of libnetcl.so");
            eprintln!("    (NETCL_INCLUDE_DIR=the folder of netcl.h is passed on to dependents).");
            eprintln!(
                "At run time the same folder has to be in LD_LIBRARY_PATH, unless the system"
            );
            eprintln!("looks there anyway.");
            exit(1);
        }
    }
}

fn file_name(linked_statically: bool) -> &'static str {
    if linked_statically {
        "libnetcl.a"
    } else {
        "libnetcl.so"
    }
}

type Found = Result<(Vec<PathBuf>, Option<PathBuf>), String>;

fn from_folder(folder: &Path, linked_statically: bool) -> Found {
    let file = folder.join(file_name(linked_statically));
    if !file.exists() {
        return Err(format!(
            "NETCL_LIB_DIR is {}, where there is no {}",
            folder.display(),
            file.file_name().unwrap().to_string_lossy()
        ));
    }
    Ok((vec![folder.to_path_buf()], None))
}

/// A library may be installed without its archive, which the linker would say in its own words.
fn with_archive(found: (Vec<PathBuf>, Option<PathBuf>), linked_statically: bool) -> Found {
    let name = file_name(true);
    if !linked_statically || found.0.iter().any(|folder| folder.join(name).exists()) {
        return Ok(found);
    }
    Err(match found.0.first() {
        Some(folder) => format!(
            "the feature `static` links {name}, which is not in {}, where pkg-config found netcl. \
             Install it (cmake --install of a build of netcl does), set NETCL_LIB_DIR to its \
             folder, or leave the feature out",
            folder.display()
        ),
        None => format!(
            "the feature `static` links {name}, and pkg-config does not say in which folder it \
             is. Set NETCL_LIB_DIR to that, or leave the feature out"
        ),
    })
}

fn from_pkg_config() -> Found {
    let program = env::var_os("PKG_CONFIG").unwrap_or_else(|| "pkg-config".into());
    let ask = |what: &[&str]| -> Result<String, String> {
        let done = Command::new(&program).args(what).arg("netcl").output();
        let done = done.map_err(|e| format!("NETCL_LIB_DIR is not set, and {program:?}: {e}"))?;
        if !done.status.success() {
            let text = String::from_utf8_lossy(&done.stderr);
            let first = text.lines().next().unwrap_or("it failed").trim_end_matches('.');
            return Err(format!("NETCL_LIB_DIR is not set, and pkg-config says: {first}"));
        }
        Ok(String::from_utf8_lossy(&done.stdout).trim().to_string())
    };
    ask(&["--exists", "--print-errors"])?;
    let library = ask(&["--variable=libdir"])?;
    let header = ask(&["--variable=includedir"])?;
    let folders = [library].into_iter().filter(|f| !f.is_empty()).map(PathBuf::from).collect();
    Ok((folders, Some(header).filter(|f| !f.is_empty()).map(PathBuf::from)))
}
