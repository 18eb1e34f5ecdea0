/** `rubicon writ …`: authority that is handed on. It only narrows. */
import { existsSync, readFileSync } from 'node:fs'
import type { Client, GetWritReply, IssueWritAsked } from 'rubicon-agents/client'
import { type Budget, isAddress, isDfid, parseJson, parseWrit, type Writ } from 'rubicon-kernel'
import { executeAsOperator } from './as-operator.ts'
import { executeAsReader } from './as-reader.ts'
import { type CommandCall, createUsageFailure, getArgument } from './call.ts'
import { confirm } from './confirm.ts'
import { escapeText } from './escape-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure } from './failure.ts'
import { ALL_ROWS, collectRows } from './list-pages.ts'
import { isDfidLike } from './other-id.ts'
import { formatTable, type Output, SYMBOLS } from './output.ts'
import { createIdempotencyKey, unwrapAnswer } from './server-answer.ts'
import { resolveDfid } from './whole-id.ts'

export async function issue(call: CommandCall): Promise<ExitCode> {
  const { options, out } = call
  const agent = getArgument(call, 0, 'AGENT')
  const audience = options.text('audience')
  const hours = options.count('hours', 24, 1)
  const body = { agent, hours, ...(audience === undefined ? {} : { audience }) }
  const writ = await issueWrit(call, body)
  show(out, writ, false)
  out.data(writ)
  return EXIT.done
}

async function issueWrit(call: CommandCall, body: IssueWritAsked['body']): Promise<Writ> {
  const asked = { body, ...createIdempotencyKey() }
  const issued = await executeAsOperator(call, async (client) =>
    unwrapAnswer(await client.issueWrit(asked)),
  )
  const { revoked: _, ...writ } = issued
  return parseIssued(writ)
}

/** As the schema of its route says: the types of the wire are wider than ours. */
function parseIssued(writ: unknown): Writ {
  return writ as Writ
}

export async function inspect(call: CommandCall): Promise<ExitCode> {
  const { args, out } = call
  const [given] = args
  if (given === undefined) return list(call)
  // An id is never a file, so that nobody puts a writ of theirs in the place of the one that is meant.
  if (!isAddress(given) && !isDfid(given) && existsSync(given)) {
    const writ = readWrit(given)
    show(out, writ, false)
    out.data({ ...writ, revoked: null })
    return EXIT.done
  }
  const found = await executeAsReader(call, (client) => findWrit(client, given))
  show(out, parseIssued(found), found.revoked)
  out.data(found)
  return EXIT.done
}

async function list(call: CommandCall): Promise<ExitCode> {
  const { out } = call
  const { rows: writs, next } = await executeAsReader(call, (client) =>
    collectRows(ALL_ROWS, async (query) => {
      const page = unwrapAnswer(await client.listWrits({ query }))
      return { rows: page.writs, next: page.next }
    }),
  )
  const rows = writs.map(({ id, revoked, ...writ }) => {
    const { body } = parseIssued({ id, ...writ })
    return [id, body.subject, body.window.expires_at, revoked ? 'revoked' : 'issued']
  })
  for (const line of formatTable([['WRIT', 'SUBJECT', 'EXPIRES', 'STATE'], ...rows])) out.line(line)
  out.data({ writs, next })
  return EXIT.done
}

/** Also a writ that a flow got when it was opened: `dfid` names those. */
async function findWrit(client: Client, given: string): Promise<GetWritReply> {
  const id = isDfidLike(given) ? await resolveDfid(client, given) : given
  const found = await client.getWrit({ params: { id } })
  if (found.ok || found.problem.code !== 'WRIT_MISSING') return unwrapAnswer(found)
  throw createUnknownWritFailure(given)
}

function readWrit(file: string): Writ {
  const json = parseJson(readFileSync(file))
  const writ = json.ok ? parseWrit(json.value) : null
  if (writ?.ok === true) return writ.value
  throw createUsageFailure(
    `\`${file}\` is not a writ`,
    'give the id of one, or a file that holds one',
  )
}

export async function attenuate(call: CommandCall): Promise<ExitCode> {
  const { options, out } = call
  const id = getArgument(call, 0, 'ID')
  if (!isAddress(id)) throw createUnknownWritFailure(id)
  const subject = options.getRequired('subject', '--subject AGENT')
  const kinds = options.getTexts('kind')
  const budget = parseBudgetOptions(options.getTexts('budget'))
  const hours = options.text('hours') === undefined ? null : options.count('hours', 24, 1)
  const writ = await issueWrit(call, {
    agent: subject,
    parent: id,
    ...(kinds.length === 0 ? {} : { kinds }),
    ...(budget === null ? {} : { budget }),
    ...(hours === null ? {} : { hours }),
  })
  show(out, writ, false)
  out.data(writ)
  return EXIT.done
}

function parseBudgetOptions(pairs: readonly string[]): Budget | null {
  if (pairs.length === 0) return null
  return Object.fromEntries(
    pairs.map((pair) => {
      const [measure, amount] = pair.split('=')
      if (measure === undefined || amount === undefined)
        throw createUsageFailure(`\`${pair}\` is not MEASURE=AMOUNT`, 'write --budget calls=10')
      return [measure, amount]
    }),
  )
}

export async function revokeWrit(call: CommandCall): Promise<ExitCode> {
  const { options, out } = call
  const id = getArgument(call, 0, 'ID')
  const reason = options.getRequired('reason', '--reason TEXT')
  await confirm(call, { what: `revoking \`${id}\` ends everything under it`, name: id })
  const asked = { params: { id }, body: { reason }, ...createIdempotencyKey() }
  const { seq } = await executeAsOperator(call, async (client) =>
    unwrapAnswer(await client.revokeWrit(asked)),
  )
  out.line(`${out.symbol(SYMBOLS.allowed)} ${id} revoked at authority/${seq}`)
  out.data({ revoked: id, reason, seq })
  return EXIT.done
}

function createUnknownWritFailure(given: string): CliFailure {
  return new CliFailure({
    code: 'WRIT_MISSING',
    summary: `there is no writ \`${given}\``,
    fix: '`rubicon writ inspect` lists those issued by hand, with their whole ids; the writ of a flow is found by its dfid',
  })
}

function show(out: Output, { id, body }: Writ, revoked: boolean): void {
  out.line(`${id}${revoked ? '  revoked' : ''}`)
  out.line(`  subject  ${escapeText(body.subject)} at ${escapeText(body.audience)}`)
  out.line(`  kinds    ${body.scopes.map(({ kind }) => kind).join(', ')}`)
  out.line(
    `  budget   ${Object.entries(body.budget)
      .map((pair) => pair.join('='))
      .join(', ')}`,
  )
  out.line(`  window   ${body.window.not_before} to ${body.window.expires_at}`)
  if (body.parent !== undefined) out.line(`  parent   ${body.parent}`)
}
