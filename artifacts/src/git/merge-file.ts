/** Git's own merge of lines, by `git merge-file`. Texts lie in a temporary folder for as long as it takes. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ARTIFACT_LIMITS } from '../limits.ts'
import {
  DEFAULT_MARKERS,
  type MarkerStyle,
  type MergedLines,
  type MergeInput,
  type MergeLines,
} from '../merge/merge.ts'

/** Git could not be run, or did not merge. */
export class GitMergeError extends Error {
  constructor(detail: string) {
    super(`git merge-file: ${detail}`)
    this.name = 'GitMergeError'
  }
}

/** Above this, what git returns is no count of conflicts. */
const MOST_CONFLICTS = 127

export function createGitMergeLines(markers: MarkerStyle = DEFAULT_MARKERS): MergeLines {
  return (input) => mergeTextsByGit(input, markers)
}

function mergeTextsByGit({ base, ours, theirs }: MergeInput, markers: MarkerStyle): MergedLines {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-merge-'))
  try {
    const files = Object.entries({ ours, base, theirs }).map(([name, text]) => {
      const file = join(folder, name)
      writeFileSync(file, text)
      return file
    })
    const { isClean, bytes } = mergeFilesByGit(files, markers)
    return { isClean, text: bytes.toString('utf8') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Files of ours, base and theirs, as bytes: whatever they hold. None of them is changed. */
export function mergeFilesByGit(
  files: readonly string[],
  { size, labels }: MarkerStyle,
): { readonly isClean: boolean; readonly bytes: Buffer } {
  const names = [labels.ours, 'base', labels.theirs].flatMap((label) => ['-L', label])
  const { status, stdout, stderr, error } = spawnSync(
    'git',
    ['merge-file', '-p', `--marker-size=${size}`, ...names, '--', ...files],
    { timeout: ARTIFACT_LIMITS.gitMs, maxBuffer: ARTIFACT_LIMITS.gitBytes },
  )
  if (error !== undefined) throw new GitMergeError(error.message)
  if (status === null || status < 0 || status > MOST_CONFLICTS)
    throw new GitMergeError(stderr.toString('utf8').trim() || `it ended with ${status}`)
  return { isClean: status === 0, bytes: stdout }
}
