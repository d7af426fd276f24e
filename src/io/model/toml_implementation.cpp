// The one place where the TOML parser is compiled; everybody else reads its declarations.
#define TOML_HEADER_ONLY 0
#define TOML_IMPLEMENTATION
#include <toml++/toml.h>
