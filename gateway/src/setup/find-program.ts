import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'

/** The absolute path of a program, as a shell would find it; undefined: there is none that could be started. */
export function findProgram(
  command: string,
  { path, folder }: { readonly path: string | undefined; readonly folder: string },
): string | undefined {
  if (isAbsolute(command)) return isProgram(command) ? command : undefined
  if (command.includes('/')) {
    const file = resolve(folder, command)
    return isProgram(file) ? file : undefined
  }
  return (path ?? '')
    .split(delimiter)
    .filter((place) => isAbsolute(place))
    .map((place) => join(place, command))
    .find(isProgram)
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
