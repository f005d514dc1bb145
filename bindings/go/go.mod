module netcl

go 1.19
