/** The heading of a requirement: `### REQ-7 [must] title`. */
import { type Span, sliceSpan } from '../../text/span.ts'
import type { Block } from './read-blocks.ts'

export type RequirementTitle = {
  readonly id: string
  readonly idSpan: Span
  readonly priority: 'must' | 'should'
  readonly title: string
}

/** The word behind the fence of a requirement's table. */
export const EXAMPLES = 'examples'

const LEVEL = 3
const TITLE = /^(REQ-[0-9]{1,9}) +\[(must|should)\](?: +(\S.*))?$/u
const NEARLY = /^REQ-[0-9]+\s*\[/u

/** Null: it is the heading of something else. */
export function parseRequirementTitle(
  text: string,
  block: Extract<Block, { kind: 'heading' }>,
): RequirementTitle | null {
  if (block.level !== LEVEL) return null
  const [, id, priority, title] = TITLE.exec(sliceSpan(text, block.title)) ?? []
  if (id === undefined || (priority !== 'must' && priority !== 'should')) return null
  const { start } = block.title
  return { id, idSpan: { start, end: start + id.length }, priority, title: title ?? '' }
}

/** What looks like a requirement and is none: read as a plain section, nobody would hold anything to it. */
export function isNearlyRequirement(
  text: string,
  block: Extract<Block, { kind: 'heading' }>,
): boolean {
  const title = sliceSpan(text, block.title)
  return NEARLY.test(title) && parseRequirementTitle(text, block) === null
}
