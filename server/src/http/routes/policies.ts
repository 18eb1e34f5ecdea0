/** The law as it was loaded, which is fixed when the runtime starts, against the one that is recorded. */
import { type JsonValue, LIMITS, type Policy } from 'rubicon-kernel'
import type { Engine } from 'rubicon-runtime/engine'
import { computeRulesState } from 'rubicon-runtime/engine/authority'
import { listRuleHeads } from 'rubicon-runtime/policies'
import type { DraftPolicy } from '../drafts/draft.ts'
import { type AskDraft, createDraftAsker } from '../drafts/drafts-of.ts'
import { toUnreadableView } from '../problems/unreadable-view.ts'
import { checkedPolicy, law, standing } from '../schemas/law.ts'
import { type Reply, type Route, toReply } from '../schemas/route.ts'
import { buildClosedObject, identifier, text } from '../schemas/shape.ts'
import type { ServerParts } from '../server-parts.ts'

const CHECKED = buildClosedObject({ name: identifier, text: text(LIMITS.sourceLength) }, [
  'name',
  'text',
])

export function createPolicyRoutes(parts: ServerParts): readonly Route[] {
  const { engine } = parts
  return [
    {
      method: 'POST',
      path: '/v1/policies/check',
      operation: 'checkPolicy',
      summary:
        'check a policy in Cedar: where it cannot be read, and what it names that no capability has; nothing is put in force',
      unlinked: true,
      roles: ['operator', 'approver', 'auditor'],
      body: CHECKED,
      reply: checkedPolicy,
      beside: true,
      handle: (asked) => check(engine, asked.body, createDraftAsker(parts, asked)),
    },
    {
      method: 'GET',
      path: '/v1/policies',
      operation: 'getLaw',
      summary:
        'capabilities and policies held here, their hashes, Cedar as it is written, and whether they are in force',
      roles: ['operator', 'approver', 'auditor'],
      reply: law,
      async handle() {
        const { context } = engine
        const { book } = context
        const standing = computeRulesState(context, await context.authorities.loadLatest())
        const { compiler_version, evaluators } = book.ruleSet
        const capabilities = book.capabilities().map(({ law: { description, hash } }) => {
          const { kind, version, summary, effect, risk, reversible } = description
          const { measures, scopes, params } = description
          const said = {
            kind,
            version,
            summary,
            effect,
            risk,
            reversible,
            measures,
            scopes,
            params,
          }
          return { ...said, hash }
        })
        return toReply({
          rules_hash: book.hash,
          compiler_version,
          evaluators,
          policies: book.rules.policies.map(toPolicyView),
          capabilities,
          standing,
        })
      },
    },
    {
      method: 'GET',
      path: '/v1/policies/standing',
      operation: 'getStanding',
      summary: 'whether the rules of this process are in force, and what differs',
      roles: ['operator', 'approver', 'auditor'],
      reply: standing,
      async handle() {
        const { context } = engine
        return toReply(computeRulesState(context, await context.authorities.loadLatest()))
      },
    },
  ]
}

async function check({ context }: Engine, body: JsonValue, ask: AskDraft): Promise<Reply> {
  const known = context.book.capabilities().map(({ law: { description } }) => {
    const { kind, measures, params } = description
    return { kind, measures, params }
  })
  const read = await ask({ kind: 'names', policy: parsePolicy(body), known })
  if (!read.ok)
    return toReply({
      ok: false,
      ...toUnreadableView(read.error),
      hash: null,
      rules: [],
      unknown: [],
    })
  const { rules, unknown } = read.value
  const { source, rules: named = [] } = rules
  return toReply({
    ok: true,
    code: null,
    summary: null,
    problems: [],
    hash: source.kind === 'file' ? source.hash : null,
    rules: named,
    unknown,
  })
}

function parsePolicy(body: JsonValue): DraftPolicy {
  return body as DraftPolicy
}

function toPolicyView(policy: Policy): object {
  const { name, version, source, applies_to, text: written } = policy
  const isFile = source.kind === 'file'
  return {
    name,
    version,
    language: isFile ? source.language : 'unpinned',
    hash: isFile ? source.hash : null,
    applies_to: applies_to ?? null,
    source: written ?? null,
    rules: listRuleHeads(policy),
  }
}
