/** The requirements of a document, with their examples: what tests are made from. */
import { err, ok, type Result } from 'rubicon-kernel'
import type { ParseProblem } from '../../tree/parsed.ts'
import { type Block, readBlocks } from './read-blocks.ts'
import { type RequirementExample, readExamples } from './read-examples.ts'
import { EXAMPLES, isNearlyRequirement, parseRequirementTitle } from './requirement-title.ts'

export type Requirement = {
  readonly id: string
  readonly priority: 'must' | 'should'
  readonly title: string
  readonly examples: readonly RequirementExample[]
}

export function readRequirements(text: string): Result<readonly Requirement[], ParseProblem> {
  return collectRequirements(text, readBlocks(text))
}

export function collectRequirements(
  text: string,
  blocks: readonly Block[],
): Result<readonly Requirement[], ParseProblem> {
  const found = new Map<string, Requirement>()
  let open: Requirement | null = null
  for (const block of blocks) {
    if (block.kind === 'heading') {
      const title = parseRequirementTitle(text, block)
      if (title === null && isNearlyRequirement(text, block))
        return err({ detail: 'a requirement begins `### REQ-7 [must]` or `[should]`', at: block })
      if (title !== null && found.has(title.id))
        return err({ detail: `\`${title.id}\` is there twice`, at: title.idSpan })
      const { id = '', priority = 'must', title: words = '' } = title ?? {}
      open = title === null ? null : { id, priority, title: words, examples: [] }
      if (open !== null) found.set(id, open)
    }
    if (open === null || block.kind !== 'fence' || block.info !== EXAMPLES) continue
    const read = readExamples(text, block.content ?? block)
    if (!read.ok) return read
    open = { ...open, examples: [...open.examples, ...read.value] }
    found.set(open.id, open)
  }
  return ok([...found.values()])
}
