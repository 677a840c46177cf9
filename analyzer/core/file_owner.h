// Whose the files are that root writes. Counters often need root (sudo, a container), and the
// person who measured should be able to open, move and delete the result without it.
#pragma once

#include <filesystem>

namespace ridgepoint {

// For a file or folder that this process has just made at `path` and holds open as `made`: when
// root made it in the folder of another user, it is given to that user and the folder's group. Left
// alone in folders of root and in those that anybody may write to, and where the file system
// refuses.
void give_to_folder_owner(int made, const std::filesystem::path& path);

// Makes what is missing of `folder` (its last part for its owner alone), each part given away as
// above. False with errno when that fails.
bool make_folders(const std::filesystem::path& folder);

}  // namespace ridgepoint
