/** What people do: honest, each with a login or two, deciding what they are asked. */
import { formatInstant, type JsonObject, LIMITS } from 'rubicon-kernel'
import type { Stage } from './stage.ts'

const OPERATOR = 'opal@example.com'

/** Asks for something as one of them; the id of the request. */
export async function askAs(
  stage: Stage,
  agent: string,
  proposal: JsonObject,
): Promise<string | null> {
  const state = ['accounts.supplier']
  const opened = await stage.wire.sendAs(agent, 'POST', '/v1/flows', { trigger: 'asks', state })
  if (opened.status !== 201) return null
  await stage.wire.sendAs(agent, 'POST', `/v1/flows/${opened.body.dfid}/proposals`, proposal)
  await stage.settle()
  return stage.readLastRequest(agent)
}

/** An operator says that two logins are one human. */
export async function joinLogins(stage: Stage, from: string, into: string): Promise<void> {
  for (const login of [from, into]) await stage.wire.sendAsPerson(login, 'GET', '/v1/escalations')
  const [one, other] = [await fetchPersonId(stage, from), await fetchPersonId(stage, into)]
  if (one === other) return
  const path = `/v1/persons/${one}/merge`
  const merged = await stage.wire.sendAsPerson(OPERATOR, 'POST', path, { into: other })
  if (merged.status >= 300) throw new Error(`not merged: ${JSON.stringify(merged.body)}`)
}

export async function fetchPersonId(stage: Stage, name: string): Promise<string> {
  const { body } = await stage.wire.sendAsPerson(OPERATOR, 'GET', '/v1/persons')
  const has = ({ names }: { readonly names: readonly string[] }): boolean => names.includes(name)
  return body.persons.find(has)?.person_id
}

/** While an operator has taken a login from somebody, they still have the token. */
export async function runWhileUnlinked(
  stage: Stage,
  login: string,
  work: () => Promise<void>,
): Promise<void> {
  const identities = `/v1/persons/${await fetchPersonId(stage, login)}/identities`
  const query = `?name=${encodeURIComponent(login)}`
  const taken = await stage.wire.sendAsPerson(OPERATOR, 'DELETE', `${identities}${query}`)
  if (taken.status >= 300) throw new Error(`not unlinked: ${JSON.stringify(taken.body)}`)
  await stage.wire.sendAsPerson(login, 'GET', '/v1/escalations')
  await work()
  await stage.wire.sendAsPerson(OPERATOR, 'POST', identities, { name: login })
}

/** While an operator has said that a login is somebody else's, by mistake or talked into it. */
export async function runWhileLinked(
  stage: Stage,
  login: string,
  other: string,
  work: () => Promise<void>,
): Promise<void> {
  const path = `/v1/persons/${await fetchPersonId(stage, login)}/identities`
  const query = `?name=${encodeURIComponent(login)}`
  const made = await stage.wire.sendAsPerson(OPERATOR, 'POST', '/v1/persons', { name: other })
  const otherPath = `/v1/persons/${made.body.person_id}/identities`
  await stage.wire.sendAsPerson(OPERATOR, 'DELETE', `${path}${query}`)
  const linked = await stage.wire.sendAsPerson(OPERATOR, 'POST', otherPath, { name: login })
  if (linked.status >= 300) throw new Error(`not linked: ${JSON.stringify(linked.body)}`)
  await work()
  await stage.wire.sendAsPerson(OPERATOR, 'DELETE', `${otherPath}${query}`)
  await stage.wire.sendAsPerson(OPERATOR, 'POST', path, { name: login })
}

/** A person approves with a login; who that is stands in `human`. */
export async function decide(
  stage: Stage,
  id: string | null,
  {
    login,
    human,
    modified,
    judgedFor = login,
    alsoLifts = [],
    justification = 'it was asked for',
  }: {
    readonly login: string
    readonly human: string
    readonly modified?: JsonObject
    /** Whoever asked what it would be. */
    readonly judgedFor?: string
    /** Beside what was asked. */
    readonly alsoLifts?: readonly string[]
    readonly justification?: string
  },
): Promise<void> {
  const request = id === null ? null : await stage.request(id)
  if (request === null) return
  const judged =
    modified === undefined
      ? null
      : (
          await stage.wire.sendAsPerson(judgedFor, 'POST', `/v1/escalations/${id}/modification`, {
            modified,
          })
        ).body
  if (judged !== null) stage.clock.advance(LIMITS.highImpactDwellMs)
  const { status } = await stage.wire.sendAsPerson(
    login,
    'POST',
    `/v1/escalations/${id}/decision`,
    {
      decision: modified === undefined ? 'OVERRIDE' : 'MODIFY',
      intent_digest: request.intent_digest,
      shown_snapshot: request.shown_snapshot,
      lifts: [...request.triggers.map((trigger) => trigger.id), ...alsoLifts],
      valid_until: formatInstant(stage.clock.now() + 600_000),
      justification,
      acknowledged_impact: judged?.impact ?? request.impact,
      acknowledgement: judged?.acknowledge ?? request.acknowledge,
      ...(modified === undefined ? {} : { modified, modification: judged?.digest }),
    },
  )
  if (status !== 200) return
  const humans = stage.approved.get(request.dfid) ?? new Set()
  stage.approved.set(request.dfid, humans.add(human))
  await stage.settle()
}
