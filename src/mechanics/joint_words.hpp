// Other people's words for joints, and the types that they mean here.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace driftless::mechanics {

// {"hinge", "revolute"} and so on, in small letters with hyphens; none of them is a type.
const std::vector<std::pair<std::string, std::string>>& joint_synonyms();

// " (did you mean revolute?)" for a word that is no type: by its meaning where it is known, else by its letters.
std::string joint_suggestion(std::string_view wrong, const std::vector<std::string>& types);

}  // namespace driftless::mechanics
