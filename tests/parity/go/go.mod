module parity

go 1.19

require netcl.example/netcl v0.1.0

replace netcl.example/netcl => ../../../bindings/go
