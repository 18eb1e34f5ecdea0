/** The texts of all artifacts that a change is held against. */
import { findFormat } from 'rubicon-artifacts'
import type { DeskText, ProjectText } from 'rubicon-artifacts/desk'
import type { ContentHash } from 'rubicon-artifacts/store'
import { HANDS_LIMITS } from './artifact-limits.ts'
import { createRefusal } from './refusal.ts'
import type { Workshop } from './workshop.ts'

type Names = ReadonlyMap<string, ContentHash>

export async function loadDeskText(
  workshop: Workshop,
  artifact: string,
  hash: ContentHash,
): Promise<DeskText> {
  return toDeskText(workshop, artifact, await workshop.shelf.loadText(hash, artifact))
}

export function toDeskText({ schemas }: Workshop, artifact: string, text: string): DeskText {
  const schema = Object.hasOwn(schemas, artifact) ? schemas[artifact] : undefined
  return { artifact, text, ...(schema === undefined ? {} : { schema }) }
}

/** All but `without`. What no format reads refers to nothing, and nothing refers to it. */
export async function loadProjectTexts(
  workshop: Workshop,
  names: Names,
  without: readonly string[],
): Promise<readonly DeskText[]> {
  const read = [...names].filter(
    ([name]) => !without.includes(name) && findFormat(name) !== undefined,
  )
  if (read.length > HANDS_LIMITS.projectTexts)
    throw createRefusal('PLAN_TOO_LARGE', `there are more than ${HANDS_LIMITS.projectTexts} texts`)
  const texts: DeskText[] = []
  let length = 0
  for (const [name, hash] of read) {
    const text = await workshop.shelf.findText(hash)
    if (text === null) continue
    length += text.length
    if (length > HANDS_LIMITS.projectLength)
      throw createRefusal(
        'PLAN_TOO_LARGE',
        `all texts together have more than ${HANDS_LIMITS.projectLength} characters`,
      )
    texts.push(toDeskText(workshop, name, text))
  }
  return texts
}

/** The same, with what they were when a plan was made where that is something else. */
export async function loadMovedTexts(
  workshop: Workshop,
  { now, then }: { readonly now: Names; readonly then: Names },
  without: readonly string[],
): Promise<readonly ProjectText[]> {
  const texts: ProjectText[] = []
  for (const one of await loadProjectTexts(workshop, now, without)) {
    const hash = then.get(one.artifact)
    const was =
      hash === undefined || hash === now.get(one.artifact)
        ? null
        : await workshop.shelf.findText(hash)
    texts.push(was === null ? one : { ...one, was })
  }
  return texts
}
