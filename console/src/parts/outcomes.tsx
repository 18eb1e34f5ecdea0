/** The three ways in which a page has nothing to show yet: it waits, it is empty, it failed. */
import type { ReactNode } from 'react'
import type { AnyProblem } from 'rubicon-agents/client'
import { Copy } from './id.tsx'
import { Skeleton, type SkeletonShape } from './skeleton.tsx'
import { toVisibleText } from './visible-text.ts'
import './outcomes.css'

/** The words are for whoever does not see the shape. */
export function Loading({
  what,
  shape = 'rows',
}: {
  readonly what: string
  readonly shape?: SkeletonShape
}): ReactNode {
  return (
    <div className="loading" role="status">
      <span className="unseen">loading {what}</span>
      <Skeleton shape={shape} />
    </div>
  )
}

/** Beside the server of this page, which has its port and its ledger. */
export const DEMO_COMMAND = 'npx rubicon up --demo --port 7421 --store sqlite:./demo.db'

export const DEMO_INVITATION = 'To see the agents of a demo company at work, start a second server:'

/** Nothing there: what would be, and the command that fills the page. */
export function Empty({
  what,
  command,
  children,
}: {
  readonly what: string
  readonly command?: string
  readonly children?: ReactNode
}): ReactNode {
  return (
    <div className="outcome">
      <p>{what}</p>
      {children}
      {command === undefined ? null : (
        <p className="outcome-command">
          <code>{command}</code> <Copy value={command} what="copy the command" />
        </p>
      )}
    </div>
  )
}

/** What went wrong, why, and what to do; with the code, so that it can be looked up. */
export function Failed({
  problem,
  again,
}: {
  readonly problem: AnyProblem
  readonly again?: () => void
}): ReactNode {
  const { code, title, detail, fix } = problem
  return (
    <div className="outcome outcome-failed" role="alert">
      <p>
        <strong>
          ✖ <span className="mono">{code}</span> {title}
        </strong>
      </p>
      {detail === undefined || detail === title ? null : <p>{toVisibleText(detail)}</p>}
      {fix === undefined ? null : <p>fix: {toVisibleText(fix)}</p>}
      <p className="row">
        <code>npx rubicon explain {code}</code>
        {again === undefined ? null : (
          <button type="button" onClick={again}>
            Try again
          </button>
        )}
      </p>
    </div>
  )
}
