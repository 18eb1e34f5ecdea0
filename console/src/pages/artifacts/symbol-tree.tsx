/** The symbols of an artifact, each in its place. Arrows walk and fold, enter shows one. */
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { useKeys } from '../../keys/keys.tsx'
import { AgentText } from '../../parts/agent-text.tsx'
import { Failed, Loading } from '../../parts/outcomes.tsx'
import { go, replaceQuery } from '../../url/location.ts'
import type { SymbolRow } from './symbol-rows.ts'
import type { useSymbols } from './use-artifact.ts'

export type SymbolTreeProps = {
  readonly rows: readonly SymbolRow[]
  readonly state: ReturnType<typeof useSymbols>
  readonly seq: number
  /** The empty path: all of it. */
  readonly selected: string
  readonly fold: (path: string, isFolded: boolean) => void
}

const UNKNOWN = 'ARTIFACT_UNKNOWN'

export function SymbolTree({ rows, state, seq, selected, fold }: SymbolTreeProps): ReactNode {
  const list = useRef<HTMLUListElement>(null)
  const [focused, setFocused] = useState(selected)
  const paths = ['', ...rows.map(({ path }) => path)]
  const reached = paths.includes(focused) ? focused : ''
  const focusAt = (index: number): void => {
    const to = Math.min(paths.length - 1, Math.max(0, index))
    const item = list.current?.children[to]
    setFocused(paths[to] ?? '')
    if (item instanceof HTMLElement) item.focus()
  }
  const walk = (by: 1 | -1): void => focusAt(paths.indexOf(reached) + by)
  useKeys([
    { keys: 'j', does: 'next symbol', run: () => walk(1) },
    { keys: 'k', does: 'previous symbol', run: () => walk(-1) },
  ])
  const handleKey = (event: KeyboardEvent): void => {
    const at = paths.indexOf(reached)
    const row = rows[at - 1]
    const act = ACTS.get(event.key)
    if (act === undefined || event.metaKey || event.ctrlKey) return
    event.preventDefault()
    act({ at, row, rows, end: paths.length - 1, focusAt, fold, choose: () => choose(reached) })
  }
  if (state.state === 'loading') return <Loading what="symbols" />
  const isUnknown = state.state === 'failed' && state.problem.code === UNKNOWN
  return (
    <>
      {state.state === 'failed' && !isUnknown ? (
        <Failed problem={state.problem} again={state.again} />
      ) : null}
      {isUnknown ? <p className="artifact-note quiet">It was not known at entry {seq}.</p> : null}
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a tree has its own keys */}
      <ul role="tree" className="tree" aria-label="symbols" ref={list} onKeyDown={handleKey}>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the tree listens to keys */}
        <li
          role="treeitem"
          className={`tree-row ${selected === '' ? 'tree-selected' : ''}`}
          aria-level={1}
          aria-selected={selected === ''}
          tabIndex={reached === '' ? 0 : -1}
          onFocus={() => setFocused('')}
          onClick={() => choose('')}
        >
          all of it
        </li>
        {rows.map((row) => (
          <TreeRow
            key={row.path}
            row={row}
            isSelected={row.path === selected}
            isReached={row.path === reached}
            reach={() => setFocused(row.path)}
            fold={fold}
          />
        ))}
      </ul>
    </>
  )
}

function choose(path: string): void {
  go(replaceQuery({ path }), { replace: true })
}

type Act = (given: {
  /** Among the items; the first is all of it. */
  readonly at: number
  readonly end: number
  readonly row: SymbolRow | undefined
  readonly rows: readonly SymbolRow[]
  readonly focusAt: (index: number) => void
  readonly fold: SymbolTreeProps['fold']
  readonly choose: () => void
}) => void

const ACTS: ReadonlyMap<string, Act> = new Map<string, Act>([
  ['ArrowDown', ({ at, focusAt }) => focusAt(at + 1)],
  ['ArrowUp', ({ at, focusAt }) => focusAt(at - 1)],
  ['Home', ({ focusAt }) => focusAt(0)],
  ['End', ({ end, focusAt }) => focusAt(end)],
  ['Enter', (given) => given.choose()],
  [' ', (given) => given.choose()],
  [
    'ArrowRight',
    ({ at, row, focusAt, fold }) => {
      if (row?.isFolded === true) fold(row.path, false)
      else if (row?.hasInner === true) focusAt(at + 1)
    },
  ],
  [
    'ArrowLeft',
    ({ at, row, rows, focusAt, fold }) => {
      if (row === undefined) return
      if (row.hasInner && !row.isFolded) fold(row.path, true)
      else focusAt(rows.slice(0, at - 1).findLastIndex(({ level }) => level < row.level) + 1)
    },
  ],
])

const WORDS = {
  added: 'new',
  removed: 'removed',
  changed: 'changed',
  renamed: 'renamed',
  moved: 'moved',
} as const

function TreeRow({
  row,
  isSelected,
  isReached,
  reach,
  fold,
}: {
  readonly row: SymbolRow
  readonly isSelected: boolean
  readonly isReached: boolean
  readonly reach: () => void
  readonly fold: SymbolTreeProps['fold']
}): ReactNode {
  const { path, kind, name, level, symbol, mark, hasInner, isFolded, markedInside } = row
  const marked = mark !== null || markedInside > 0 ? 'tree-marked' : ''
  const gone = symbol === null ? 'tree-gone' : ''
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree listens to keys
    <li
      role="treeitem"
      className={`tree-row ${isSelected ? 'tree-selected' : ''} ${marked} ${gone}`}
      style={{ paddingInlineStart: `calc(var(--gap-4) * ${level})` }}
      aria-level={level + 1}
      aria-selected={isSelected}
      {...(hasInner ? { 'aria-expanded': !isFolded } : {})}
      tabIndex={isReached ? 0 : -1}
      onFocus={reach}
      onClick={() => choose(path)}
    >
      <span
        className="tree-fold"
        aria-hidden="true"
        onClick={(event) => {
          if (!hasInner) return
          event.stopPropagation()
          fold(path, !isFolded)
        }}
      >
        {hasInner ? (isFolded ? '▸' : '▾') : ''}
      </span>
      <span className="tree-kind small quiet">{kind}</span>{' '}
      <span className="mono wrap">
        <AgentText text={name} />
      </span>
      {symbol === null && mark === null ? (
        <span className="small quiet"> not there at this entry</span>
      ) : null}
      {mark === null ? null : <span className="tree-mark"> ● {WORDS[mark]}</span>}
      {markedInside === 0 ? null : <span className="tree-mark"> ● {markedInside} inside</span>}
      {row.plannedBy.length === 0 ? null : (
        <span className="small tree-claim"> ◷ planned by {row.plannedBy.join(', ')}</span>
      )}
    </li>
  )
}
