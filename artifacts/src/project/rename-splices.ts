/** What is written at the places at which a symbol gets another name. */
import { sliceSpan } from '../text/span.ts'
import type { Splice } from '../text/splice.ts'
import type { ProjectArtifact } from './artifact.ts'
import { isSame, type Use } from './use.ts'

/** Of one artifact; places where it goes by another name stay as they are. */
export function listRenameSplices(
  { text, links }: ProjectArtifact,
  uses: readonly Use[],
  name: string,
): readonly Splice[] {
  const renamed = uses.filter(({ isAliased }) => !isAliased)
  return renamed.map(({ at, role }): Splice => {
    const old = sliceSpan(text, at)
    const isShort = links?.shorthands.some((one) => isSame(one, at)) ?? false
    if (/^['"]/.test(old)) return { ...at, text: `${old.slice(0, 1)}${name}${old.slice(-1)}` }
    if (!isShort) return { ...at, text: name }
    // What is taken of a module goes by its old name here; anywhere else the property does.
    return { ...at, text: role === 'taken' ? `${name}: ${old}` : `${old}: ${name}` }
  })
}
