/** Behind which member something is put when others have put theirs at the same place: behind those of entries before it (B2). */
import { type Anchor, ROOT } from '../delta/delta.ts'
import { findSiblings } from '../delta/siblings.ts'
import { type Translation, translatePath } from './translate-path.ts'

/** Null: the place is not there any more. */
export function chooseAnchor(
  container: string,
  at: Anchor | undefined,
  translation: Translation,
  isOfOthers: (place: number) => boolean,
): Anchor | null {
  const { before, current } = translation
  const seen = findSiblings(before, container)
  const target = container === ROOT ? ROOT : translatePath(container, translation)
  const there = target === null ? null : findSiblings(current, target)
  if (!seen.ok || there?.ok !== true) return null
  const { children } = there.value
  const wanted = at === undefined ? (seen.value.children.at(-1)?.path ?? null) : at.after
  const place = seen.value.children.findIndex(({ path }) => path === wanted)
  if (wanted !== null && place < 0) return null
  // Of a member that another has taken out, the nearest before it that is there.
  const behind = seen.value.children
    .slice(0, place + 1)
    .map(({ path }) => translatePath(path, translation))
    .findLast((path) => path !== null)
  let index = children.findIndex(({ path }) => path === behind)
  for (let next = children[index + 1]; next !== undefined; next = children[index + 1]) {
    if (!isOfOthers(next.own.start)) break
    index += 1
  }
  return { after: children[index]?.path ?? null }
}
