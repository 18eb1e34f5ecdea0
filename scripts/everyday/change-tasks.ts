/** What operators change: a limit, a key, a tool, who may go on. */
import { createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readBody } from './look.ts'
import type { EverydayTask, TaskPlace, TaskStep } from './task.ts'

const FIND = { role: 'button', name: /^Find or do/, says: 'Find or do…' } as const
const AGENT = 'refunds'

const TIGHTEN: EverydayTask = {
  name: 'tighten-limit',
  ask: 'Tighten a limit, see which past decisions it would have changed, and deploy it',
  keyboard: [
    { press: 'Control+k' },
    { type: 'change limit refunds' },
    { see: /Change a limit of refunds/ },
    { press: 'Enter' },
    { see: /Ctrl\+Enter goes on to deploying/ },
    { type: '100' },
    { see: /of the last decisions would be/ },
    { press: 'Control+Enter' },
    { type: AGENT },
    { press: 'Enter' },
    { see: /was deployed/ },
  ],
  pointer: [
    { click: FIND },
    { type: 'change limit refunds' },
    {
      click: {
        role: 'option',
        name: /Change a limit of refunds/,
        says: 'Change a limit of refunds…',
      },
    },
    { see: /Ctrl\+Enter goes on to deploying/ },
    { type: '100' },
    { see: /of the last decisions would be/ },
    { click: { role: 'textbox', name: /to confirm/, says: 'the field that asks for the name' } },
    { type: AGENT },
    { click: { role: 'button', name: /^Deploy$/, says: 'Deploy' } },
    { see: /was deployed/ },
  ],
  peers: [
    {
      name: 'Grafana',
      steps: 7,
      how: 'Alerting, Alert rules, Edit, the threshold, its figure, Preview, Save',
      source: 'https://grafana.com/docs/grafana/latest/alerting/alerting-rules/',
      lacks: 'the preview says what the rule finds now, and nothing of the past',
    },
  ],
  prepare: async ({ client }) =>
    readBody(await client.getContract({ params: { agent_id: AGENT } })).versions.length,
  async check({ client }, before) {
    const { versions } = readBody(await client.getContract({ params: { agent_id: AGENT } }))
    const [newest] = versions
    if (versions.length !== Number(before) + 1) return 'no version was added'
    const { version } = readBody(await client.getAgent({ params: { id: AGENT } }))
    if (version !== newest?.version) return `${version} is in force`
    return /max: "100"/.test(newest.source) ? null : 'the limit is as it was'
  },
}

const KEY_OF = 'treasury'
type Keys = { readonly old: string }

function readKeys({ client }: TaskPlace) {
  return client
    .listKeys({ query: { limit: '1000' } })
    .then((answer) => readBody(answer).keys.filter(({ subject }) => subject === KEY_OF))
}

function parseKeys(before: unknown): Keys {
  return before as Keys
}

/** Of a private key as the command wrote it, as the server shows it. */
function readPublicKey(file: string): string {
  const { x = '' } = createPublicKey(readFileSync(file, 'utf8')).export({ format: 'jwk' })
  return Buffer.from(x, 'base64url').toString('base64')
}

const NEW_KEY: TaskStep = {
  run: /^npx rubicon keys register --purpose agent --subject treasury .*--server/,
}

const ROTATE: EverydayTask = {
  name: 'rotate-key',
  ask: 'Rotate the key of an agent',
  keyboard: [
    { press: 'Control+k' },
    { type: 'rotate treasury' },
    { see: /Rotate the key of treasury/ },
    { press: 'Enter' },
    { see: /Make the new key where treasury runs/ },
    NEW_KEY,
    { see: /is registered, and both count/ },
    { press: 'r' },
    { see: /It cannot be undone/ },
    { press: 'Control+Enter' },
    { see: /retired/ },
  ],
  pointer: [
    { click: { role: 'link', name: /^Settings$/, says: 'Settings' } },
    { click: { role: 'link', name: /^Keys$/, says: 'Keys' } },
    { click: { role: 'link', name: /^treasury$/, says: 'the key' } },
    {
      click: {
        role: 'button',
        name: /^copy the command/,
        says: 'the sign that copies the command',
        nth: 1,
      },
    },
    NEW_KEY,
    { see: /is registered, and both count/ },
    { click: { role: 'button', name: /^Retire the old key…/, says: 'Retire the old key…' } },
    { click: { role: 'button', name: /^Retire the old key$/, says: 'Retire the old key' } },
    { see: /retired/ },
  ],
  peers: [
    {
      name: 'LangSmith',
      steps: 7,
      how: 'Settings, Create API Key, Create, copy, paste where it is used, close, the bin beside the old one',
      source: 'https://docs.langchain.com/langsmith/create-account-api-key',
    },
    {
      name: 'Grafana',
      steps: 9,
      how: 'Administration, Users and access, Service accounts, the account, Add token, Generate, paste where it is used, the cross beside the old one, confirm',
      source: 'https://grafana.com/docs/grafana/latest/administration/service-accounts/',
    },
  ],
  async prepare(place): Promise<Keys> {
    const [old] = (await readKeys(place)).filter(({ in_use }) => in_use)
    return { old: old?.key_id ?? '' }
  },
  async check(place, before) {
    const keys = await readKeys(place)
    const { old } = parseKeys(before)
    const inUse = keys.filter(({ in_use }) => in_use)
    if (inUse.some(({ key_id }) => key_id === old)) return 'the old key still counts'
    if (inUse.length !== 1) return `${inUse.length} keys count`
    const made = readPublicKey(join(place.folder, `${KEY_OF}-next.pem`))
    return inUse[0]?.public_key === made ? null : 'another key counts than the one that was made'
  },
}

const STOPPED = 'marketing'
const WHY = 'it spends on a campaign that is over'

const SUSPEND: EverydayTask = {
  name: 'stop-agent',
  ask: 'Stop an agent at once, with everything that it is doing, and say why',
  keyboard: [
    { press: 'Control+k' },
    { type: 'suspend marketing' },
    { see: /Suspend marketing/ },
    { press: 'Enter' },
    { see: /Its sessions end/ },
    { type: STOPPED },
    { press: 'Tab' },
    { type: WHY },
    { press: 'Control+Enter' },
    { see: /suspended/ },
  ],
  pointer: [
    { click: { role: 'link', name: /^Agents$/, says: 'Agents' } },
    { click: { role: 'link', name: /^marketing$/, says: 'the agent' } },
    { click: { role: 'button', name: /^Suspend…/, says: 'Suspend…' } },
    { see: /Its sessions end/ },
    { type: STOPPED },
    { click: { role: 'textbox', name: /^Reason/, says: 'the reason' } },
    { type: WHY },
    { click: { role: 'button', name: /^Suspend$/, says: 'Suspend' } },
    { see: /suspended/ },
  ],
  peers: [
    {
      name: 'Temporal UI',
      steps: 8,
      how: 'the filter of Workflow Types, the name, `Enter`, select all, Terminate, the field, the reason, Terminate',
      source: 'https://docs.temporal.io/web-ui',
      lacks: 'it can be started again at once; a single execution takes 5',
    },
  ],
  async check({ client }) {
    const agent = readBody(await client.getAgent({ params: { id: STOPPED } }))
    if (agent.status !== 'SUSPENDED') return `it is ${agent.status}`
    return agent.state?.justification === WHY ? null : 'the reason was not kept'
  },
}

const TOOL = 'claim_damage'
const AGREED = 'the carrier asks for the account since the first of the month'

const APPROVE_TOOL: EverydayTask = {
  name: 'changed-tool',
  ask: 'See what an MCP server changed in a tool, and approve the tool as it is now',
  keyboard: [
    { press: 'g t' },
    { see: /claim_damage/ },
    { press: 'j' },
    { press: 'j' },
    { press: 'Enter' },
    { see: /Always send the account of the customer along/ },
    { press: 'a' },
    { type: AGREED },
    { press: 'Control+Enter' },
    { see: /approved.*since the first of the month/s },
  ],
  pointer: [
    { click: { role: 'link', name: /^Tools$/, says: 'Tools' } },
    { click: { role: 'link', name: /claim_damage/, says: 'the tool that has changed' } },
    { see: /Always send the account of the customer along/ },
    { click: { role: 'textbox', name: /^Reason/, says: 'the reason' } },
    { type: AGREED },
    { click: { role: 'button', name: /^Approve$/, says: 'Approve' } },
    { see: /approved.*since the first of the month/s },
  ],
  peers: [],
  none: 'none of them stands between agents and the tools of MCP servers',
  async check({ client }) {
    const { tools } = readBody(await client.listMcpTools({}))
    const tool = tools.find((one) => one.tool === TOOL)
    if (tool === undefined) return 'the tool is not there'
    if (tool.state === 'changed') return 'it is still held for changed'
    return tool.approved?.reason === AGREED ? null : 'the reason was not kept'
  },
}

const WHOSE = 'sam@example.com'

const END_SESSION: EverydayTask = {
  name: 'end-session',
  ask: 'Sign somebody out of a browser that they left open',
  keyboard: [
    { press: 'Control+k' },
    { type: 'sessions' },
    { see: /Settings: Tokens and sessions/ },
    { press: 'Enter' },
    { see: /by token/ },
    { press: 'e' },
    { press: 'Enter' },
    { see: /signed out at once/ },
    { press: 'Control+Enter' },
  ],
  pointer: [
    { click: { role: 'link', name: /^Settings$/, says: 'Settings' } },
    { click: { role: 'link', name: /^Tokens and sessions$/, says: 'Tokens and sessions' } },
    {
      click: {
        role: 'button',
        name: /^End…/,
        says: 'End… beside the name',
        row: /^sam@.*by token/,
      },
    },
    { click: { role: 'button', name: /^End$/, says: 'End' } },
  ],
  peers: [
    {
      name: 'Grafana',
      steps: 6,
      how: 'Administration, Users and access, Users, the user, Force logout, Confirm',
      source: 'https://grafana.com/docs/grafana/latest/administration/user-management/',
    },
  ],
  async check({ client, other, page }) {
    await page.locator('dialog[open]').waitFor({ state: 'detached' })
    const { sessions } = readBody(await client.listOpenSessions({}))
    if (sessions.some(({ name }) => name === WHOSE)) return 'the session is still open'
    await other.reload()
    await other.getByRole('textbox').first().waitFor()
    return (await other.getByRole('banner').count()) === 0 ? null : 'that browser is still in'
  },
}

export const CHANGE_TASKS: readonly EverydayTask[] = [TIGHTEN, ROTATE]
export const STOP_TASKS: readonly EverydayTask[] = [SUSPEND, APPROVE_TOOL, END_SESSION]
