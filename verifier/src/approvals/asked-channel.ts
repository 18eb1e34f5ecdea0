/**
 * Is a request put before those whom its triggers ask? People are told on its channel, and whoever is not told
 * cannot object: a request that went elsewhere was asked of nobody.
 *
 * 1. To people on the first channel of a trigger that leads to them, or to the operator.
 * 2. To an agent where all triggers go to one, and an agent may decide: to that one, to another one above it, or to
 *    the operator where none can be asked. Whether it is above, is seen where it decides.
 * 3. Passed on is only what an agent was asked, to another one or to the operator.
 */
import type { PayloadOf } from 'rubicon-kernel'

type Request = PayloadOf['pending_approval']['request']

const AGENT = 'agent:'
const OPERATOR = 'operator'

/** `before`: as it was put before somebody last; undefined: it is new. */
export function findChannelProblems(
  { triggers, channel }: Request,
  before: Request | undefined,
  mayAskAgents: boolean,
): string[] {
  const isPassedOn = isAgents(channel) || channel === OPERATOR
  if (before !== undefined)
    return isPassedOn && (isAgents(before.channel) || channel === before.channel)
      ? []
      : ['it was passed on to approvers who may not take it over']
  const named = triggers.map((one) => (one as { readonly channel?: unknown }).channel)
  const [first] = named
  const isOne = isAgents(first) && named.every((one) => one === first)
  if (isOne && mayAskAgents)
    return isPassedOn ? [] : ['its approvers are not those that its triggers name']
  const people = named.filter((one) => !isAgents(one))
  const wanted = people.length === 0 ? OPERATOR : people[0]
  return channel === wanted ? [] : ['its approvers are not those that its triggers name']
}

function isAgents(channel: unknown): boolean {
  return typeof channel === 'string' && channel.startsWith(AGENT)
}
