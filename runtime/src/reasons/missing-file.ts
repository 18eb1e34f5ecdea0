import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { findNearest } from 'rubicon-kernel'

/** Why a file that was named cannot be read, and what to do; a file beside it with almost its name is named. */
export function explainMissingFile(
  path: string,
  cause: unknown,
): { readonly why: string; readonly fix: string } {
  if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'))
    return { why: cause instanceof Error ? cause.message : String(cause), fix: 'check the path' }
  const near = findNearest(basename(path), listBeside(path))
  const fix =
    near === undefined ? 'check the path' : `did you mean \`${join(dirname(path), near)}\`?`
  return { why: 'there is no such file', fix }
}

function listBeside(path: string): readonly string[] {
  try {
    return readdirSync(dirname(path))
  } catch {
    return []
  }
}
