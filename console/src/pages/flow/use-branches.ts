/** The flows opened in a flow, a page at a time, when somebody asks for them. */
import { useCallback, useRef, useState } from 'react'
import type { AnyProblem, FlowTree } from 'rubicon-agents/client'
import { useClient } from '../../api/session.tsx'

type Branch = FlowTree['flow']

export type Branches = {
  readonly rows: readonly Branch[]
  readonly next: string | null
  readonly problem: AnyProblem | null
}

export type BranchesOf = {
  /** Undefined: nobody has asked for them. */
  readonly find: (dfid: string) => Branches | undefined
  /** The next page; of the first one, `after` is what stands before it. */
  readonly load: (dfid: string, after?: string | null) => void
  readonly close: (dfid: string) => void
}

/** Of each page. */
const PAGE = '50'

export function useBranches(): BranchesOf {
  const client = useClient()
  const [held, hold] = useState<ReadonlyMap<string, Branches>>(new Map())
  const asked = useRef(new Set<string>())
  const latest = useRef(held)
  latest.current = held
  const load = useCallback(
    async (dfid: string, after: string | null): Promise<void> => {
      // A double click asks once.
      if (asked.current.has(dfid)) return
      asked.current.add(dfid)
      const before = latest.current.get(dfid)
      const cursor = before === undefined ? after : before.next
      const query = { limit: PAGE, ...(cursor === null ? {} : { cursor }) }
      const answer = await client.getFlowTree({ params: { dfid }, query })
      asked.current.delete(dfid)
      hold((all) =>
        new Map(all).set(
          dfid,
          joinBranches(before ?? { rows: [], next: cursor, problem: null }, answer),
        ),
      )
    },
    [client],
  )
  const close = useCallback(
    (dfid: string) => hold((all) => new Map([...all].filter(([one]) => one !== dfid))),
    [],
  )
  return {
    find: (dfid) => held.get(dfid),
    load: (dfid, after = null) => void load(dfid, after),
    close,
  }
}

type Answer =
  | { readonly ok: true; readonly body: FlowTree }
  | { readonly ok: false; readonly problem: AnyProblem }

function joinBranches({ rows, next: from }: Branches, answer: Answer): Branches {
  if (!answer.ok) return { rows, next: from, problem: answer.problem }
  const { children, next } = answer.body
  return { rows: [...rows, ...children], next, problem: null }
}
