/**
 * A provider that survives its callers: it keeps one file for each key it was called with, so that
 * a killed process leaves behind what it did, and somebody else can ask.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Contract } from 'rubicon-kernel'
import type { Capability } from 'rubicon-runtime/ports'
import { buildContract } from '../../server/src/demo/contract.ts'

export const SUMMARY_AGENT = 'summary_agent'
export const SUMMARY_STEP = 'step_gen_summary'

export const buildSummaryContract = (): Contract =>
  buildContract(SUMMARY_AGENT, ['GENERATE_SUMMARY'])

export function createSummaryCapability(folder: string): Capability {
  return {
    kind: 'GENERATE_SUMMARY',
    summary: 'have a summary written',
    effect: 'queryable',
    risk: 'low',
    params: {
      type: 'object',
      properties: { temperature: { type: 'string' } },
      required: ['temperature'],
      additionalProperties: false,
    },
    execute({ params }, { idempotencyKey }) {
      mkdirSync(folder, { recursive: true })
      const calls = readdirSync(folder).length
      const result = { summary: `written at temperature ${params.temperature}` }
      writeFileSync(join(folder, `${calls + 1} ${idempotencyKey}`), JSON.stringify(result))
      return { result }
    },
    probe: {
      absence_authoritative: true,
      max_late_arrival_s: 0,
      ask(_intent, { idempotencyKey }) {
        const [name] = listCalls(folder, idempotencyKey)
        if (name === undefined) return { finding: 'absent' }
        return { finding: 'applied', effect: { result: JSON.parse(readFileSync(name, 'utf8')) } }
      },
    },
  }
}

export function listCalls(folder: string, key = ''): readonly string[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => name.endsWith(key))
  return names.map((name) => join(folder, name))
}
