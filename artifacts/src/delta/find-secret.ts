/** Refuses what would write a secret into an artifact. What a secret looks like is for whoever hands in `FindSecret` to know. */
import { toCanonicalText } from 'rubicon-kernel'
import { listPutSpans } from '../text/moved-span.ts'
import { isOverlapping, sliceSpan } from '../text/span.ts'
import { findTileAt } from '../tree/find-tiles.ts'
import type { Delta } from './delta.ts'
import type { DeltaProblem, Plan } from './plan.ts'

/** What kind of secret a text holds, in words; null: none. */
export type FindSecret = (text: string) => string | null

/** In what the author wrote, and in the tokens that it comes to. */
export function findSecretIn(
  step: WrittenStep & { readonly delta: Delta },
  findSecret: FindSecret,
): DeltaProblem | null {
  for (const text of listWrittenTexts(step)) {
    const kind = findSecret(text)
    // The secret itself is never repeated: problems are recorded.
    if (kind !== null)
      return { code: 'SECRET_IN_FRAGMENT', detail: `\`${step.delta.op}\` would write ${kind}` }
  }
  return null
}

type WrittenStep = Pick<Plan, 'splices' | 'after'> & { readonly delta: Delta | null }

/** What the author wrote, and the tokens that it comes to: half a key beside the other half is a key. */
export function listWrittenTexts({ delta, splices, after }: WrittenStep): readonly string[] {
  const { text, tiles } = after
  const tokens = listPutSpans(splices).flatMap((put) => {
    const from = Math.max(0, findTileAt(tiles, put.start) - 1)
    const to = findTileAt(tiles, put.end)
    return tiles.slice(from, to).filter((tile) => isOverlapping(tile, put))
  })
  const written = delta === null ? splices.map((splice) => splice.text) : listTexts(delta)
  return [...written, ...tokens.map((tile) => sliceSpan(text, tile))]
}

function listTexts(delta: Delta): readonly string[] {
  return Object.values(delta).map((value) =>
    typeof value === 'string' ? value : toCanonicalText(value),
  )
}
