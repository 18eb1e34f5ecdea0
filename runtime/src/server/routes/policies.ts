/** The law as it was loaded. It is fixed when the runtime starts. */
import type { Policy } from 'rubicon-kernel'
import { done, type Route } from '../route.ts'
import { law } from '../schemas/law.ts'
import type { ServerParts } from '../server.ts'

export function policyRoutes({ engine }: ServerParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/policies',
      operation: 'getLaw',
      summary: 'capabilities and policies in force, their hashes, and Cedar as it is written',
      roles: ['operator', 'approver', 'auditor'],
      reply: law,
      handle() {
        const { book } = engine.context
        const { compiler_version, evaluators } = book.ruleSet
        const capabilities = book.capabilities().map(({ law: { description, hash } }) => {
          const { kind, version, summary, effect, risk, reversible, measures, params } = description
          return { kind, version, summary, effect, risk, reversible, measures, params, hash }
        })
        return done({
          rules_hash: book.hash,
          compiler_version,
          evaluators,
          policies: book.rules.policies.map(policyView),
          capabilities,
        })
      },
    },
  ]
}

function policyView({ name, version, source, applies_to, text }: Policy): object {
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
