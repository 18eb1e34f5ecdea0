/** The law as it was loaded, which is fixed when the runtime starts, against the one that is recorded. */
import type { Policy } from 'rubicon-kernel'
import { computeRulesState } from 'rubicon-runtime/engine/authority'
import { law, standing } from '../schemas/law.ts'
import { type Route, toReply } from '../schemas/route.ts'
import type { ServerParts } from '../server-parts.ts'

export function createPolicyRoutes({ engine }: ServerParts): readonly Route[] {
  return [
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
          const { kind, version, summary, effect, risk, reversible, measures, params } = description
          return { kind, version, summary, effect, risk, reversible, measures, params, hash }
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

function toPolicyView({ name, version, source, applies_to, text }: Policy): object {
  const isFile = source.kind === 'file'
  return {
    name,
    version,
    language: isFile ? source.language : 'unpinned',
    hash: isFile ? source.hash : null,
    applies_to: applies_to ?? null,
    source: text ?? null,
  }
}
