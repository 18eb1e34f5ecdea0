/** `rubicon policy save --out FOLDER`: the last recorded decisions as cases for `rubicon policy test`, each with its recorded verdict. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject, type JsonValue, LIMITS } from 'rubicon-kernel'
import type { Context } from 'rubicon-runtime/engine'
import {
  CaseReader,
  createPolicyCase,
  type PolicyCase,
  readPastFlows,
} from 'rubicon-runtime/evidence'
import { createReadingEngine } from './as-reader.ts'
import { type CommandCall, createUsageFailure } from './call.ts'
import { escapeText } from './escape-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { SYMBOLS } from './output.ts'

const DEFAULT_LAST = 20

export async function savePolicyCases(call: CommandCall): Promise<ExitCode> {
  const { options, out, place } = call
  const folder = options.getRequired('out', '--out FOLDER')
  const last = options.count('last', DEFAULT_LAST, 1)
  if (last > LIMITS.pastDecisions)
    throw createUsageFailure(
      `\`--last\` is at most ${LIMITS.pastDecisions}`,
      'name a smaller number, or an agent with --agent',
    )
  const { engine, close } = await createReadingEngine(place)
  const found = await findCases(engine.context, last, options.text('agent')).finally(close)
  mkdirSync(folder, { recursive: true })
  const saved: string[] = []
  const kept: string[] = []
  for (const one of found.cases) {
    const file = join(folder, toFileName(one.name))
    // It may hold a verdict that somebody has changed since.
    if (existsSync(file)) kept.push(file)
    else {
      writeFileSync(file, `${JSON.stringify(one, null, 2)}\n`, { flag: 'wx', mode: 0o600 })
      saved.push(file)
    }
  }
  out.line(`${out.symbol(SYMBOLS.allowed)} ${saved.length} cases saved in ${escapeText(folder)}`)
  if (kept.length > 0) out.line(`  ${kept.length} were there already`)
  if (found.skipped > 0)
    out.line(`  ${found.skipped} left out: refused before any rule was asked, or erased`)
  out.data({ folder, saved, kept, skipped: found.skipped })
  return EXIT.done
}

type FoundCases = { readonly cases: readonly PolicyCase[]; readonly skipped: number }

async function findCases(
  { store, authorities }: Context,
  last: number,
  agent: string | undefined,
): Promise<FoundCases> {
  const reader = new CaseReader(store, await authorities.loadLatest())
  const cases: PolicyCase[] = []
  let skipped = 0
  for await (const past of readPastFlows(store, agent === undefined ? {} : { agent })) {
    for (const entry of past.entries) reader.see(entry)
    for (const { entry } of past.decisions) {
      if (cases.length + skipped >= last) return { cases, skipped }
      const { trajectory, seq } = entry.envelope
      const read = await reader.read(entry)
      if (read?.ok !== true) skipped += 1
      else {
        const { recorded, proposal } = read.value
        const name = `${getKind(proposal)} ${trajectory}/${seq}`
        cases.push(createPolicyCase(name, read.value, recorded))
      }
    }
  }
  return { cases, skipped }
}

function getKind(proposal: JsonValue): string {
  const kind = isObject(proposal) ? proposal.policy_kind : undefined
  return typeof kind === 'string' ? kind : 'decision'
}

/** A kind is what somebody proposed, and may be no name of a file. */
function toFileName(name: string): string {
  return `${name.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(-LONGEST)}.json`
}

const LONGEST = 100
