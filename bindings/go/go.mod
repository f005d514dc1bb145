module netcl.example/netcl

go 1.19
