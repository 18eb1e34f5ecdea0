/**
 * Tells which files of a project have changed.
 *
 * W1 the operating system only hints that something happened; what changed is found by comparing. An editor that writes a
 *    file aside and renames it, and a file system without hints (a mount in a container), come to the same.
 * W2 changes that come together are told together, once nothing has moved for a moment: nobody reads half a save.
 */
import { type FSWatcher, watch } from 'node:fs'
import { dirname, join } from 'node:path'
import { type ProjectFiles, scanProject } from './scan-project.ts'

const QUIET_MS = 80
/** Where there are no hints. */
const LOOK_MS = 1_000

export type ProjectWatch = { stop(): void }

export function watchProject(
  folder: string,
  changed: (paths: ReadonlySet<string>) => void,
  failed: (error: unknown) => void,
): ProjectWatch {
  let known = scanProject(folder)
  let told = known
  const watchers = new Map<string, FSWatcher>()
  let soon: NodeJS.Timeout | undefined

  const look = (): void => {
    try {
      const now = scanProject(folder)
      const isMoving = listChanges(known, now).size > 0
      known = now
      followFolders(folder, now, watchers, lookSoon)
      if (isMoving) {
        lookSoon()
        return
      }
      const changes = listChanges(told, now)
      told = now
      if (changes.size > 0) changed(changes)
    } catch (error) {
      failed(error)
    }
  }
  const lookSoon = (): void => {
    clearTimeout(soon)
    soon = setTimeout(look, QUIET_MS)
  }
  followFolders(folder, known, watchers, lookSoon)
  const always = setInterval(look, LOOK_MS)
  return {
    stop() {
      clearInterval(always)
      clearTimeout(soon)
      for (const watcher of watchers.values()) watcher.close()
    },
  }
}

function listChanges(before: ProjectFiles, now: ProjectFiles): ReadonlySet<string> {
  const paths = new Set([...before.keys(), ...now.keys()])
  return new Set([...paths].filter((path) => before.get(path) !== now.get(path)))
}

/** Folder by folder: a watch of the whole tree would follow `node_modules`, too. */
function followFolders(
  root: string,
  files: ProjectFiles,
  watchers: Map<string, FSWatcher>,
  hinted: () => void,
): void {
  const folders = new Set([root, ...[...files.keys()].map((path) => dirname(join(root, path)))])
  for (const [folder, watcher] of watchers)
    if (!folders.has(folder)) {
      watcher.close()
      watchers.delete(folder)
    }
  for (const folder of folders) {
    if (watchers.has(folder)) continue
    try {
      const watcher = watch(folder, { persistent: false }, hinted)
      watcher.on('error', () => watcher.close())
      watchers.set(folder, watcher)
    } catch {
      // No hints to be had: W1.
    }
  }
}
