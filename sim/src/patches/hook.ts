/**
 * Loaded with `node --import` into a process, and into all that it starts: makes the mistake that
 * RUBICON_PATCH names, in the source of each module as it is loaded. The files stay as they are.
 *
 * H1 a patch that does not apply throws where the module is loaded, so that nothing runs unpatched.
 * H2 what was patched, and what could not be, is noted in the folder RUBICON_PATCH_SEEN: whoever
 *    started the run can tell a mistake that nobody noticed from one that was never made.
 */
import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { getPatch } from './all.ts'
import { applyEdit, type Edit } from './patch.ts'

const { RUBICON_PATCH: name, RUBICON_PATCH_SEEN: folder } = process.env
const ROOT = new URL('../../../', import.meta.url).href

if (name !== undefined) {
  const { edits } = getPatch(name)
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      const path = url.split('?')[0]
      const own = edits.filter(({ file }) => `${ROOT}${file}` === path)
      if (own.length === 0) return loaded
      return { ...loaded, source: applyEdits(decodeSource(loaded.source), own) }
    },
  })
}

function applyEdits(source: string, edits: readonly Edit[]): string {
  const file = edits[0]?.file ?? ''
  try {
    const after = edits.reduce(applyEdit, source)
    recordPatchResult(file, '')
    return after
  } catch (error) {
    recordPatchResult(file, error instanceof Error ? error.message : String(error))
    throw error
  }
}

function recordPatchResult(file: string, problem: string): void {
  if (folder !== undefined) writeFileSync(join(folder, encodeURIComponent(file)), problem)
}

function decodeSource(source: string | ArrayBuffer | NodeJS.TypedArray | null | undefined): string {
  if (typeof source === 'string') return source
  if (source == null) throw new Error('a module to be patched has no source')
  return new TextDecoder().decode(source)
}
