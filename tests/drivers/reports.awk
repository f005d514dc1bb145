# How many reports of oclgrind a log holds, by kernel, and the first of each; nothing where none is.
/^OCLGRIND FATAL ERROR/ {getline; report = $0; next}
/data race at|^Invalid |^Uninitialized value|[Dd]ivergence|^Unaligned |^Controlflow depends/ {report = $0; next}
/^\tKernel: / {
  # Numbers of 16 bits are tried where a device announces none; oclgrind has none.
  if (report != "" && !($2 == "netcl_probe" && report ~ /^Unsupported float size: 2/)) {
    if (!count[$2]++) {first[$2] = report; order[++kernels] = $2}
  }
  report = ""
}
END {
  for (i = 1; i <= kernels; i++) {
    if (i > 1) printf "; "
    printf "%s: %d of \"%s\"", order[i], count[order[i]], first[order[i]]
  }
}
