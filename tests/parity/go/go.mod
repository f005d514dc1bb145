module parity

go 1.19

require netcl v0.1.0

replace netcl => ../../../bindings/go
