/** Places of artifacts: names with slashes, from the root of the project. */

/** Of the folder that holds it; the root is empty. */
export function toFolder(name: string): string {
  const slash = name.lastIndexOf('/')
  return slash < 0 ? '' : name.slice(0, slash)
}

/** Null: it leads out of the project. */
export function joinPlace(folder: string, path: string): string | null {
  const parts = folder === '' ? [] : folder.split('/')
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return null
  }
  return parts.join('/')
}

/** The folder itself, then what holds it, up to the root. */
export function listFoldersUp(folder: string): readonly string[] {
  const folders = [folder]
  for (let at = folder; at !== ''; ) {
    at = toFolder(at)
    folders.push(at)
  }
  return folders
}

export function toPlaceIn(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}
