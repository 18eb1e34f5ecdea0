/** What people look for: why, who, what was shown, and how to prove it to somebody else. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../shell.ts'
import { readBody, readMain } from './look.ts'
import type { EverydayTask, TaskPlace, TaskStep } from './task.ts'

const ORDER = 'order 4711'
const FOUND: TaskStep = { see: /kitchen of order 4711/ }
const FIND_BY_KEYS: readonly TaskStep[] = [
  { press: 'Control+k' },
  { type: ORDER },
  FOUND,
  { press: 'Enter' },
]
const FIND = { role: 'button', name: /^Find or do/, says: 'Find or do…' } as const
const FIND_BY_POINTER: readonly TaskStep[] = [
  { click: FIND },
  { type: ORDER },
  { click: { role: 'option', name: /kitchen of order 4711/, says: 'the flow that is found' } },
]

/** What a page of a flow is about, and what the server says of it. */
async function readOpenFlow({ page, client }: TaskPlace) {
  await page.waitForURL(/\/flows\/[0-9a-f-]{36}/)
  const dfid = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  return readBody(await client.getFlow({ params: { dfid } }))
}

const WEEK_MS = 7 * 24 * 60 * 60_000
const DAY_MS = WEEK_MS / 7

const FIND_REFUSAL: EverydayTask = {
  name: 'why-refused',
  ask: 'Find out why order 4711 was refused last week',
  keyboard: [...FIND_BY_KEYS, { see: /LIMIT_EXCEEDED/ }],
  pointer: [...FIND_BY_POINTER, { see: /LIMIT_EXCEEDED/ }],
  peers: [
    {
      name: 'Linear',
      steps: 3,
      how: 'search (`/`), the number, `Enter` on the issue',
      source: 'https://linear.app/docs/search',
      lacks: 'the reason stands there if somebody wrote it down',
    },
    {
      name: 'Temporal UI',
      steps: 4,
      how: 'the filter of Workflow IDs, the number, `Enter`, the execution',
      source: 'https://docs.temporal.io/web-ui',
    },
  ],
  async check(place) {
    const { flow, entries } = await readOpenFlow(place)
    const age = Date.now() - Date.parse(flow.opened_at)
    if (age > WEEK_MS || age < DAY_MS * 5) return `the flow is ${age} ms old`
    const refusals = entries.filter(({ kind }) => kind === 'rejection')
    const asked = refusals.filter(({ payload }) => JSON.stringify(payload).includes('o_4711'))
    if (asked.length === 0) return 'it is the flow of another order'
    const codes = asked.map(({ payload }) => JSON.stringify(payload))
    if (!codes.every((text) => text.includes('"LIMIT_EXCEEDED"'))) return 'it was refused otherwise'
    return (await readMain(place.page)).includes('LIMIT_EXCEEDED')
      ? null
      : 'the page does not say why'
  },
}

const FIND_BUDGET: EverydayTask = {
  name: 'burning-budget',
  ask: 'Find the agent that burns its budget',
  keyboard: [{ press: 'b' }, { press: 'Enter' }, { see: /Budgets/ }],
  pointer: [{ click: { role: 'link', name: /^analyst$/, says: 'the first line below budgets' } }],
  peers: [
    {
      name: 'Grafana',
      steps: 2,
      how: 'Dashboards, the dashboard that somebody made for it',
      source: 'https://grafana.com/docs/grafana/latest/dashboards/use-dashboards/',
    },
    {
      name: 'LangSmith',
      steps: 3,
      how: 'Tracing projects, sort by cost, the first project',
      source: 'https://docs.langchain.com/langsmith/cost-tracking',
      lacks: 'it knows what was spent, and no budget',
    },
  ],
  async check({ client, page }) {
    await page.waitForURL(/\/agents\//)
    const { moved } = readBody(await client.getOverview({ query: {} }))
    const [most] = moved.toSorted((a, b) => b.share - a.share)
    const shown = new URL(page.url()).pathname.split('/').at(-1)
    if (most === undefined || most.share < 0.8) return 'no agent has used most of a budget'
    return most.agent === shown ? null : `it is ${most.agent}, and ${shown} is open`
  },
}

const WATCHED = 'support_desk'

const FIND_SHOWN: EverydayTask = {
  name: 'what-was-shown',
  ask: 'See what an agent was shown before its last decision',
  keyboard: [
    { press: 'Control+k' },
    { type: WATCHED },
    { see: /Suspend support_desk/ },
    { press: 'Enter' },
    { see: /Shown to the agent/ },
  ],
  pointer: [
    { click: { role: 'link', name: /^Agents$/, says: 'Agents' } },
    { click: { role: 'link', name: /^support_desk$/, says: 'the agent' } },
    { see: /Shown to the agent/ },
  ],
  peers: [
    {
      name: 'LangSmith',
      steps: 3,
      how: 'Tracing projects, the project of the agent, the newest run',
      source: 'https://docs.langchain.com/langsmith/filter-traces-in-application',
    },
    {
      name: 'Inngest dev server',
      steps: 4,
      how: 'Runs, the filter of functions, the function, the newest run',
      source: 'https://www.inngest.com/docs/local-development',
    },
  ],
  async check({ client, page }) {
    const part = page.getByRole('region', { name: 'last decision' })
    const href = await part.getByRole('link', { name: 'its flow' }).getAttribute('href')
    const shown = await part.innerText()
    const dfid = href?.split('/').at(-1) ?? ''
    const { flow } = readBody(await client.getFlow({ params: { dfid } }))
    const last = readBody(await client.listFlows({ query: { agent: WATCHED, limit: '5' } })).flows
    if (flow.agent_id !== WATCHED) return `it is a flow of ${flow.agent_id}`
    if (!last.some((one) => one.dfid === dfid)) return 'it is not of its last flows'
    return shown.includes(flow.trigger) ? null : 'what it was shown is not there'
  },
}

const PROVE: EverydayTask = {
  name: 'prove-to-others',
  ask: 'Hand somebody else a proof of a decision that they can check without you',
  keyboard: [...FIND_BY_KEYS, { see: /Download the proof/ }, { press: 'b' }, { see: /is saved/ }],
  pointer: [
    ...FIND_BY_POINTER,
    { click: { role: 'button', name: /^Download the proof/, says: 'Download the proof' } },
    { see: /is saved/ },
  ],
  peers: [
    {
      name: 'Temporal UI',
      steps: 5,
      how: 'the filter of Workflow IDs, the number, `Enter`, the execution, download its history',
      source: 'https://docs.temporal.io/web-ui',
      lacks: 'the history is not signed: whoever gets it has to believe it',
    },
  ],
  async check(place) {
    const { flow } = await readOpenFlow(place)
    const file = await place.saved()
    if (file === null) return 'nothing was saved'
    const bytes = readFileSync(file, 'utf8')
    if (!bytes.includes(flow.dfid)) return 'the proof is of another flow'
    const verify = (path: string): boolean => run('rubicon', ['verify', path, '--json']).ok
    if (!verify(file)) return 'it cannot be verified'
    const changed = join(place.folder, 'changed.jsonl')
    writeFileSync(changed, bytes.replace('6120.00', '6220.00'))
    if (verify(changed)) return 'it can be verified although it was changed'
    return (await readMain(place.page)).includes('LIMIT_EXCEEDED') ? null : 'it is not on the page'
  },
}

export const FIND_TASKS: readonly EverydayTask[] = [FIND_REFUSAL, FIND_BUDGET, FIND_SHOWN]
export const PROOF_TASKS: readonly EverydayTask[] = [PROVE]
