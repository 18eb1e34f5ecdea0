/** `inbox` and `show`: what waits for somebody, and everything they need to decide it. */
import type { EscalationBrief, InboxRow, ListInboxAsked } from 'rubicon-agents/client'
import { createUsageFailure } from '../call.ts'
import { formatTable, SYMBOLS } from '../output.ts'
import { formatDuration } from '../span-text.ts'
import { resolveRequestId } from '../whole-id.ts'
import { describeBrief } from './brief-text.ts'
import type { CommandResult, ShellCommand } from './command.ts'
import { unwrapServerAnswer } from './link.ts'
import { type ShellSession, throwMissing } from './session.ts'
import type { Typed } from './typed.ts'
import { toShellFailure } from './verb-command.ts'

type Tab = NonNullable<NonNullable<ListInboxAsked['query']>['tab']>
const TABS: readonly Tab[] = ['mine', 'fast', 'team', 'decided', 'expired']
const LISTED = '30'

export const INBOX_COMMANDS: readonly ShellCommand[] = [
  {
    name: 'inbox',
    args: '[TAB]',
    summary: 'requests that wait for you; or fast, team, decided, expired',
    words: TABS,
    run: showInbox,
  },
  {
    name: 'show',
    args: 'ID',
    about: ['request'],
    summary: 'show a request: effect, why, facts, budget, and what the agent says',
    run: async (session, { args }) => ({
      data: await showBrief(session, await findRequest(session, args[0] ?? throwMissing('ID'))),
    }),
  },
]

async function showInbox(
  { link, out, seen }: ShellSession,
  { args }: Typed,
): Promise<CommandResult> {
  const tab = parseTab(args[0] ?? 'mine')
  const body = unwrapServerAnswer(await link.client.listInbox({ query: { tab, limit: LISTED } }))
  const claims = new Map(body.claimed.map(({ id, by }) => [id, by]))
  const rows = body.requests.map((row) => {
    seen.add('request', row.id)
    seen.add('flow', row.dfid)
    seen.add('agent', row.agent_id)
    return formatInboxRow(row, body.now, claims.get(row.id) ?? '-')
  })
  const head = ['ID', 'IMPACT', 'WHAT', 'AGENT', 'WHY', 'APPROVED', 'LEFT', 'WITH']
  for (const line of formatTable([head, ...rows], out.width)) out.line(line)
  if (rows.length === 0) out.note(`${SYMBOLS.info} none`)
  if (body.next !== null) out.note(`${SYMBOLS.info} there are more`)
  const { mine, fast, team } = body.waiting
  if (rows.length === 0) {
    const others = Object.entries({ mine, fast, team }).filter(([at, n]) => at !== tab && n > 0)
    for (const [at, count] of others) out.note(`${SYMBOLS.info} ${count} in \`inbox ${at}\``)
  }
  out.note(`${SYMBOLS.info} mine ${mine}, fast ${fast}, team ${team}`)
  return { data: body }
}

function formatInboxRow(row: InboxRow, now: string, claimant: string): readonly string[] {
  const { ended, expires_at } = row
  return [
    row.id,
    row.impact,
    `${row.action ?? row.kind} ${row.object ?? ''}`.trimEnd(),
    row.agent_id,
    row.reason_code,
    `${row.approvals} of ${row.needs}`,
    ended === null ? formatDuration(Date.parse(expires_at) - Date.parse(now)) : ended.as,
    claimant,
  ]
}

function parseTab(text: string): Tab {
  const tab = TABS.find((known) => known === text)
  if (tab !== undefined) return tab
  throw createUsageFailure(`\`${text}\` is no part of the inbox`, `use one of ${TABS.join(', ')}`)
}

/** By as much of its id as was typed. */
export async function findRequest({ link }: ShellSession, typed: string): Promise<string> {
  return resolveRequestId(link.client, typed).catch((error) => {
    throw toShellFailure(error)
  })
}

/** What is shown here is what a decision of this shell is bound to. */
export async function showBrief(session: ShellSession, id: string): Promise<EscalationBrief> {
  const brief = await readBrief(session, id)
  describeBrief(session.out, brief)
  session.shown.set(brief.id, brief)
  return brief
}

export async function readBrief(
  { link, seen }: ShellSession,
  id: string,
): Promise<EscalationBrief> {
  const brief = unwrapServerAnswer(await link.client.getEscalationBrief({ params: { id } }))
  seen.add('request', brief.id)
  seen.add('flow', brief.dfid)
  seen.add('agent', brief.agent_id)
  return brief
}
