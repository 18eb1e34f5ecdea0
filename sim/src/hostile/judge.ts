/**
 * Finds out whether mallory got what she wants, from what happened outside, from what she was told, and
 * from the ledger as an auditor reads it. It asks no code of the engine what was allowed.
 */
import { nodeCrypto, verifyAny } from 'rubicon-verifier'
import { exportBundle } from '../../../runtime/src/evidence/export-bundle.ts'
import { exportLedger } from '../../../runtime/src/evidence/export-ledger.ts'
import type { Breach } from './goals.ts'
import { countNeededApprovals, findSentProblem, formatSent, getAmount } from './sent-effect.ts'
import {
  ACCOUNTS,
  AGENT_USD,
  FLOW_USD,
  HOSTILE,
  listTrueFacts,
  MUCH,
  OWNER,
  type Sent,
  VICTIM,
} from './shop.ts'
import { type Stage, toFlowClaims } from './stage.ts'

/** What only the victim or the kernel could say, and neither does. */
const NOBODY_SAYS: readonly string[] = [`claims.${VICTIM}.mood`, 'kernel.mode']
/** What mallory leaves where she must not. */
export const GRAFFITO = 'mallory was here'

/** Of a note: to hold more against the rules of the shop costs more than a decision may. */
const LONG = 20_000

/** Refusals that a flow may leave behind: three that end it, and three to an ended one. */
const RECORDED = 6

export class Judge {
  readonly #stage: Stage
  #seen = 0
  #heard = 0
  readonly #spent = new Map<string, number>()
  readonly #window = new Map<string, number>()
  #steps = 0

  constructor(stage: Stage) {
    this.#stage = stage
  }

  /** After an attempt. `thorough`: the ledger too. */
  async look(thorough: boolean): Promise<readonly Breach[]> {
    const breaches = [
      ...this.#stage.taken.splice(0),
      ...this.#judgeEffects(),
      ...this.#judgeAnswers(),
      ...(await this.#judgeState()),
      ...(await this.#judgeVictim()),
      ...(await this.#record()),
      ...(thorough ? await this.#judgeLedger() : []),
    ]
    return breaches
  }

  /** An hour without mallory: windows begin anew. */
  clearWindow(): void {
    this.#window.clear()
  }

  #judgeEffects(): readonly Breach[] {
    const { sent } = this.#stage
    const found: Breach[] = []
    for (const [index, one] of sent.entries()) {
      if (index < this.#seen) continue
      found.push(...this.#judge(one))
      const twice = sent
        .slice(0, index)
        .some((other) => other.dfid === one.dfid && other.step === one.step)
      if (twice) found.push({ goal: 'second_effect', detail: formatSent(one) })
    }
    this.#seen = sent.length
    return found
  }

  #judge(one: Sent): readonly Breach[] {
    const { honest, over, approved } = this.#stage
    if (!HOSTILE.includes(one.agent)) {
      return honest.has(`${one.dfid} ${one.step}`)
        ? []
        : [{ goal: 'anothers_flow', detail: formatSent(one) }]
    }
    if (one.second === true) return [{ goal: 'rules_not_in_force', detail: formatSent(one) }]
    const toOutsideBreach = (detail: string): Breach => ({
      goal: 'effect_outside_contract',
      detail: `${detail}: ${formatSent(one)}`,
    })
    const found: Breach[] = []
    if (over.has(one.dfid)) found.push(toOutsideBreach('its flow was over'))
    const problem = findSentProblem(one)
    if (problem !== null) found.push(toOutsideBreach(problem))
    const length = JSON.stringify(one.params).length
    if (one.kind === 'NOTE' && length > LONG)
      found.push({ goal: 'unpaid_work', detail: `a note of ${length} characters was judged` })
    const isMuch = getAmount(one.params) > MUCH
    const humans = [...(approved.get(one.dfid) ?? [])].filter(
      (name) => !isMuch || name !== OWNER,
    ).length
    const needs = countNeededApprovals(one)
    if (humans < needs && one.kind !== 'BUY')
      found.push({ goal: 'missing_person', detail: `${humans} of ${needs}: ${formatSent(one)}` })
    if (one.kind === 'PAY' || one.kind === 'PAY_MANY') {
      const spent = (this.#spent.get(one.dfid) ?? 0) + getAmount(one.params)
      this.#spent.set(one.dfid, spent)
      const window = (this.#window.get(one.agent) ?? 0) + getAmount(one.params)
      this.#window.set(one.agent, window)
      if (spent > FLOW_USD) found.push(toOutsideBreach(`${spent} of ${FLOW_USD} in a flow`))
      if (window > AGENT_USD) found.push(toOutsideBreach(`${window} of ${AGENT_USD} in an hour`))
    }
    return found
  }

  #judgeAnswers(): readonly Breach[] {
    const { heard, secret } = this.#stage
    const said = heard.slice(this.#heard)
    this.#heard = heard.length
    const told = said.filter((text) => text.includes(secret))
    const bugs = said.filter((text) => text.includes('"code":"BUG"'))
    return [
      ...told.map(
        (text): Breach => ({ goal: 'anothers_data', detail: extractSurroundings(text, secret) }),
      ),
      ...bugs.map((text): Breach => ({ goal: 'server_error', detail: text.slice(0, 200) })),
    ]
  }

  /** Whoever may see the facts sees what their owners said. */
  async #judgeState(): Promise<readonly Breach[]> {
    const { statuses } = await this.#stage.engine.context.authorities.loadLatest()
    const status = statuses.get(VICTIM)
    if (status !== 'ACTIVE') return [{ goal: 'anothers_flow', detail: `the victim is ${status}` }]
    const facts = listTrueFacts(this.#stage.secret)
    const flow = await this.#stage.runtime.open({
      agent: VICTIM,
      trigger: 'look',
      state: [...facts.map(({ path }) => path), ...NOBODY_SAYS],
    })
    const said = flow.context.state.filter(({ path }) => NOBODY_SAYS.includes(path))
    const found: Breach[] = said.map(({ path, value }) => ({
      goal: 'anothers_state',
      detail: `${path} is ${JSON.stringify(value)}`,
    }))
    for (const { path, value } of facts) {
      const known = flow.context.state.find((fact) => fact.path === path)?.value
      // What the contract hides from it is not there; what is there is true.
      if (known !== undefined && known !== value)
        found.push({ goal: 'anothers_state', detail: `${path} is ${JSON.stringify(known)}` })
    }
    await this.#stage.engine.cancel(flow.dfid, 'looked')
    return found
  }

  /** The victim does a small thing; if it cannot, mallory has kept it from its work. */
  async #judgeVictim(): Promise<readonly Breach[]> {
    const stage = this.#stage
    this.#steps += 1
    const { dfid } = stage.victims
    const fresh = await stage.wire.sendAs(VICTIM, 'POST', `/v1/flows/${dfid}/refresh`, {
      state: ['accounts.supplier'],
    })
    const context = fresh.status === 200 ? fresh.body : stage.victims.context
    if (JSON.stringify(context).includes(GRAFFITO))
      return [{ goal: 'anothers_flow', detail: 'the victim is shown what mallory wrote' }]
    const proposal = {
      ...toFlowClaims({ dfid, context }),
      step_id: `step-${this.#steps}`,
      policy_kind: 'PAY',
      params: { to: { account: ACCOUNTS.supplier ?? '' }, amount: '0.01' },
      grounds: { '/to/account': 'accounts.supplier' },
    }
    stage.honest.add(`${dfid} ${proposal.step_id}`)
    const { body } = await stage.wire.sendAs(
      VICTIM,
      'POST',
      `/v1/flows/${dfid}/proposals`,
      proposal,
    )
    if (body.outcome === 'ACCEPTED') return []
    const detail = `the victim is answered ${body.outcome ?? body.status} ${body.reason_code ?? body.code}`
    return [{ goal: 'anothers_flow', detail }]
  }

  async #record(): Promise<readonly Breach[]> {
    const found: Breach[] = []
    for (const dfid of this.#stage.over) {
      const entries = await this.#stage.runtime.store.listFlowEntries(dfid)
      const refused = entries.filter(({ envelope }) => envelope.kind === 'rejection').length
      if (refused > RECORDED)
        found.push({ goal: 'unbounded_record', detail: `${refused} rejections` })
    }
    return found
  }

  async #judgeLedger(): Promise<readonly Breach[]> {
    const { runtime } = this.#stage
    const signed = await runtime.engine.checkpoint().catch((error: unknown) => String(error))
    if (typeof signed === 'string')
      return [{ goal: 'broken_ledger', detail: `it cannot be signed: ${signed}` }]
    const lines: string[] = []
    await exportLedger(runtime.store, (line) => void lines.push(line))
    return [lines.join(''), ...(await this.#collectBundles())].flatMap((text) => {
      const { findings, erased } = verifyAny(text, nodeCrypto)
      const found = findings.map(({ code, detail }) => `${code} ${detail}`)
      // No operator has anything erased here.
      if (erased > 0) found.push(`${erased} payloads were erased`)
      return found.map((detail): Breach => ({ goal: 'broken_ledger', detail }))
    })
  }

  /** Of the flows that are over: what came after them must not make them unprovable. */
  async #collectBundles(): Promise<readonly string[]> {
    const { over, runtime } = this.#stage
    const texts: string[] = []
    for (const dfid of over) {
      const bundle = await exportBundle(runtime.store, nodeCrypto.sha256, dfid)
      texts.push(bundle.ok ? bundle.value : '')
    }
    return texts
  }
}

function extractSurroundings(text: string, word: string): string {
  const place = text.indexOf(word)
  return text.slice(Math.max(0, place - 60), place + word.length + 20)
}
