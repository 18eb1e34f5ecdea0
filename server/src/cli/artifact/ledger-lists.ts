/** `rubicon artifact list`, `changes` and `plans`: what the ledger knows of artifacts, asked of a server. */
import { MAIN } from 'rubicon-kernel'
import { executeAsReader } from '../as-reader.ts'
import { type CommandCall, getArgument } from '../call.ts'
import { escapeText } from '../escape-text.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { ALL_ROWS, collectRows } from '../list-pages.ts'
import { formatTable, SYMBOLS } from '../output.ts'
import { unwrapAnswer } from '../server-answer.ts'

/** Of a hash, as people compare it. */
const SHOWN_HASH = 12

export async function listKnownArtifacts(call: CommandCall): Promise<ExitCode> {
  const { out } = call
  const at = findMoment(call)
  const { rows, next } = await executeAsReader(call, (client) =>
    collectRows(countRows(call), async (page) => {
      const answer = await client.listWorldArtifacts({
        ...toParams(call),
        query: { ...page, ...at },
      })
      const { artifacts, next } = unwrapAnswer(answer)
      return { rows: artifacts, next }
    }),
  )
  const lines = rows.map(({ name, content_hash, bytes, plans, entry }) => [
    escapeText(name),
    shortenHash(content_hash),
    String(bytes),
    String(plans.length),
    String(entry.seq),
    entry.at,
  ])
  const head = ['ARTIFACT', 'CONTENT', 'BYTES', 'PLANS', 'ENTRY', 'SINCE']
  for (const line of formatTable([head, ...lines], out.width)) out.line(line)
  if (rows.length === 0) out.note(`${SYMBOLS.info} none: no agent has adopted a file yet`)
  out.data({ artifacts: rows, next })
  return EXIT.done
}

export async function listKnownChanges(call: CommandCall): Promise<ExitCode> {
  const { args, out } = call
  const name = args[0] === undefined ? {} : { name: getArgument(call, 0, 'NAME') }
  const { rows, next } = await executeAsReader(call, (client) =>
    collectRows(countRows(call), async (page) => {
      const answer = await client.listArtifactChanges({
        ...toParams(call),
        query: { ...page, ...name },
      })
      const { changes, next } = unwrapAnswer(answer)
      return { rows: changes, next }
    }),
  )
  const lines = rows.map(({ seq, at, name: of, agent_id, after, summary }) => [
    String(seq),
    at,
    escapeText(of),
    escapeText(agent_id ?? '-'),
    after === null ? 'gone' : shortenHash(after),
    escapeText(summary ?? '-'),
  ])
  const head = ['ENTRY', 'AT', 'ARTIFACT', 'AGENT', 'CONTENT', 'WHAT']
  for (const line of formatTable([head, ...lines], out.width)) out.line(line)
  if (rows.length === 0) out.note(`${SYMBOLS.info} no changes are recorded`)
  out.data({ changes: rows, next })
  return EXIT.done
}

export async function listKnownPlans(call: CommandCall): Promise<ExitCode> {
  const { out } = call
  const at = findMoment(call)
  const { rows, next } = await executeAsReader(call, (client) =>
    collectRows(countRows(call), async (page) => {
      const answer = await client.listArtifactPlans({
        ...toParams(call),
        query: { ...page, ...at },
      })
      const { plans, next } = unwrapAnswer(answer)
      return { rows: plans, next }
    }),
  )
  const lines = rows.map(({ plan, by, until, expired, symbols }) => [
    shortenHash(plan),
    escapeText(by),
    expired ? `${until} (over)` : until,
    escapeText(symbols.join(', ')),
  ])
  for (const line of formatTable([['PLAN', 'BY', 'UNTIL', 'SYMBOLS'], ...lines], out.width))
    out.line(line)
  if (rows.length === 0) out.note(`${SYMBOLS.info} no plan is open`)
  out.data({ plans: rows, next })
  return EXIT.done
}

function toParams({ options }: CommandCall): { readonly params: { readonly id: string } } {
  return { params: { id: options.text('trajectory') ?? MAIN } }
}

function findMoment({ options }: CommandCall): { readonly at?: string } {
  return options.text('at') === undefined ? {} : { at: String(options.count('at', 0)) }
}

function countRows({ options }: CommandCall): number {
  return options.count('limit', ALL_ROWS)
}

function shortenHash(hash: string): string {
  return escapeText(hash.replace(/^sha256:/, '').slice(0, SHOWN_HASH))
}
