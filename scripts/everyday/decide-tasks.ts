/** What people decide: together, alone, or by giving it to somebody. */
import { readBody } from './look.ts'
import type { EverydayTask, TaskPlace, TaskStep } from './task.ts'

const REASON = 'looked at them; within the plan'
const REFUSAL = 'not before the holidays'
const COMMENT = 'can you ask the team whether the stock is there?'
const COLLEAGUE = 'sam@example.com'

type Waiting = { readonly id: string; readonly cheapest: readonly string[] }

/** What waits before the task: the request that ends first, and the three with the least at stake. */
async function readWaiting({ client }: TaskPlace): Promise<Waiting> {
  const [mine, fast] = [
    readBody(await client.listInbox({ query: { tab: 'mine', sort: 'expires' } })),
    readBody(await client.listInbox({ query: { tab: 'fast' } })),
  ]
  const amounts = fast.requests.flatMap(({ id, exposure }) =>
    exposure?.measure === 'usd' ? [{ id, usd: Number(exposure.value) }] : [],
  )
  const cheapest = amounts.toSorted((a, b) => a.usd - b.usd).slice(0, 3)
  return { id: mine.requests[0]?.id ?? '', cheapest: cheapest.map(({ id }) => id) }
}

function parseWaiting(before: unknown): Waiting {
  return before as Waiting
}

async function readDecided({ client }: TaskPlace) {
  return readBody(await client.listInbox({ query: { tab: 'decided' } })).requests
}

const buildBox = (nth: number): TaskStep => ({
  click: {
    role: 'checkbox',
    name: /^select SET_BUDGET of/,
    says: ['the first box', 'the second box', 'the third box'][nth] ?? '',
    nth,
  },
})

const APPROVE_CHEAPEST: EverydayTask = {
  name: 'approve-cheapest',
  ask: 'Approve the three cheapest campaign budgets that wait, with a reason',
  keyboard: [
    { press: 'g q' },
    { see: /retargeting/ },
    { press: 'J' },
    { press: 'J' },
    { press: 'J' },
    { see: /3 selected/ },
    { press: 'A' },
    { see: /3 requests/ },
    { type: REASON },
    { press: 'Enter' },
    { see: /3 of 3 decided/ },
  ],
  pointer: [
    { click: { role: 'link', name: /of low impact/, says: 'how many are of low impact' } },
    ...[0, 1, 2].map(buildBox),
    { click: { role: 'button', name: /^Approve…/, says: 'Approve…' } },
    { see: /3 requests/ },
    { type: REASON },
    { click: { role: 'button', name: /^Approve 3/, says: 'Approve 3' } },
    { see: /3 of 3 decided/ },
  ],
  peers: [
    {
      name: 'Linear',
      steps: 10,
      how: '`g t`, then `1`, the comment, `Ctrl+Enter` for each of three issues',
      source: 'https://linear.app/docs/triage',
      lacks: 'there is no amount to sort by',
    },
    {
      name: 'GitHub deployment reviews',
      steps: 9,
      how: 'Actions, the run, Review deployments, three boxes, the field, the reason, Approve and deploy',
      source:
        'https://docs.github.com/en/actions/how-tos/deploy/configure-and-manage-deployments/review-deployments',
      lacks: 'they must be of one run, and have no amount to sort by',
    },
  ],
  prepare: readWaiting,
  async check(place, before) {
    const { cheapest } = parseWaiting(before)
    if (cheapest.length < 3) return 'fewer than three waited'
    const decided = await readDecided(place)
    const approved = cheapest.filter((id) =>
      decided.some((row) => row.id === id && row.decided?.decision === 'OVERRIDE'),
    )
    if (approved.length < 3) return `${approved.length} of the three cheapest are approved`
    return decided.filter((row) => row.decided?.decision === 'OVERRIDE').length >= 3
      ? null
      : 'they were not approved by a person'
  },
}

const REJECT: EverydayTask = {
  name: 'reject-with-reason',
  ask: 'Reject the request that ends first, with a reason',
  keyboard: [
    { press: 'g n' },
    { see: /Reject…/ },
    { press: 'r' },
    { see: /nothing is sent/ },
    { type: REFUSAL },
    { press: 'Enter' },
    { see: /rejected/i },
  ],
  pointer: [
    { click: { role: 'link', name: /^DEPLOY checkout/, says: 'the request on the overview' } },
    { click: { role: 'button', name: /^Reject…/, says: 'Reject…' } },
    { see: /nothing is sent/ },
    { type: REFUSAL },
    { click: { role: 'button', name: /^Reject$/, says: 'Reject' } },
    { see: /rejected/i },
  ],
  peers: [
    {
      name: 'Linear',
      steps: 4,
      how: '`g t`, `3`, the reason, `Ctrl+Enter`',
      source: 'https://linear.app/docs/triage',
    },
    {
      name: 'GitHub deployment reviews',
      steps: 7,
      how: 'Actions, the run, Review deployments, the box, the field, the reason, Reject',
      source:
        'https://docs.github.com/en/actions/how-tos/deploy/configure-and-manage-deployments/review-deployments',
    },
  ],
  prepare: readWaiting,
  async check(place, before) {
    const { id } = parseWaiting(before)
    const row = (await readDecided(place)).find((one) => one.id === id)
    if (row?.decided?.decision !== 'ABORT') return `${id} was not rejected`
    const dfid = id.split(':')[0] ?? ''
    const { executions, entries } = readBody(await place.client.getFlow({ params: { dfid } }))
    if (executions.length > 0) return 'something was sent all the same'
    const said = entries.some(({ payload }) => JSON.stringify(payload).includes(REFUSAL))
    return said ? null : 'the reason is not in the ledger'
  },
}

const GIVE: EverydayTask = {
  name: 'give-to-colleague',
  ask: 'Give a colleague a request to look at, with a comment',
  keyboard: [
    { press: 'g n' },
    { see: /Assign…/ },
    { press: 'i' },
    { see: /It stands in their inbox/ },
    { type: COLLEAGUE },
    { press: 'Enter' },
    { see: /given to sam/ },
    { press: 'm' },
    { type: COMMENT },
    { press: 'Control+Enter' },
    { see: /ask the team whether/ },
  ],
  pointer: [
    {
      click: {
        role: 'link',
        name: /^SET_BUDGET spring-launch/,
        says: 'the request on the overview',
      },
    },
    { click: { role: 'button', name: /^Assign…/, says: 'Assign…' } },
    { see: /It stands in their inbox/ },
    { type: COLLEAGUE },
    { click: { role: 'button', name: /^Assign$/, says: 'Assign' } },
    { see: /given to sam/ },
    { click: { role: 'textbox', name: /^your comment/, says: 'the comment' } },
    { type: COMMENT },
    { click: { role: 'button', name: /^Comment$/, says: 'Comment' } },
    { see: /ask the team whether/ },
  ],
  peers: [
    {
      name: 'Linear',
      steps: 7,
      how: '`g t`, `a`, the name, `Enter`, to the comment, the comment, `Ctrl+Enter`',
      source: 'https://linear.app/docs/assigning-issues',
    },
  ],
  async check({ client, page }) {
    const id = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '')
    const { claimed, comments } = readBody(await client.getEscalationBrief({ params: { id } }))
    if (claimed?.by !== COLLEAGUE) return `${claimed?.by ?? 'nobody'} looks after it`
    return comments.some(({ text }) => text === COMMENT) ? null : 'the comment is not there'
  },
}

export const DECIDE_TASKS: readonly EverydayTask[] = [APPROVE_CHEAPEST, REJECT, GIVE]
