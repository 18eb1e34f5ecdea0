/**
 * Finds and does everything: pages, agents, tools, policies, files, flows by words, reason codes, actions. A combobox: the text keeps the focus,
 * arrow keys choose among what is offered, enter follows.
 */
import { type FormEvent, type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { readChoice, writeChoice } from '../choice.ts'
import { Dialog } from '../parts/dialog.tsx'
import { go } from '../url/location.ts'
import { useDeeds } from './palette-deeds.ts'
import { findPaletteStep, type PaletteGroup, type PaletteItem } from './palette-items.ts'
import { addRecent, parseRecent } from './recent-places.ts'
import { usePalette } from './use-palette.ts'
import './palette.css'

export function Palette({
  open,
  close,
  openKeys,
}: {
  readonly open: boolean
  readonly close: () => void
  readonly openKeys: () => void
}): ReactNode {
  return (
    <Dialog title="Find or do" open={open} close={close}>
      <PaletteForm close={close} openKeys={openKeys} />
    </Dialog>
  )
}

function PaletteForm({
  close,
  openKeys,
}: {
  readonly close: () => void
  readonly openKeys: () => void
}): ReactNode {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const perform = useDeeds(openKeys)
  const groups = usePalette(text)
  const list = useId()
  const items = groups.flatMap((group) => group.items)
  const at = Math.min(chosen, Math.max(0, items.length - 1))
  const follow = (item: PaletteItem | undefined): void => {
    if (item === undefined) return
    close()
    if ('deed' in item) {
      perform(item.deed)
      return
    }
    writeChoice('recent', JSON.stringify(addRecent(parseRecent(readChoice('recent')), item)))
    if (item.leaves === true) location.assign(item.href)
    else go(item.href)
  }
  const send = (event: FormEvent): void => {
    event.preventDefault()
    follow(items[at])
  }
  const walk = (event: KeyboardEvent): void => {
    const next = findPaletteStep(items.length, at, event.key)
    if (next === null) return
    event.preventDefault()
    setChosen(next)
    document.getElementById(`${list}-${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <form className="palette" onSubmit={send}>
      <input
        className="palette-input"
        role="combobox"
        aria-label="a page, an agent, a flow, a tool, a policy, a file, a monitor, a reason, an action"
        placeholder="an agent, an order, a reason code, a page, an action"
        aria-expanded={items.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        {...(items.length > 0 ? { 'aria-activedescendant': `${list}-${at}` } : {})}
        autoComplete="off"
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setChosen(0)
        }}
        onKeyDown={walk}
      />
      <Offered id={list} groups={groups} at={at} follow={follow} />
      {items.length > 0 ? null : (
        <p>
          No match. Type the name of a page, an agent, a tool, a policy or a file, words of a flow,
          a reason code, the id of a flow, or the number of an entry.
        </p>
      )}
      <p className="palette-keys quiet small">
        <kbd>↑</kbd> <kbd>↓</kbd> choose, <kbd>enter</kbd> go
      </p>
    </form>
  )
}

function Offered({
  id,
  groups,
  at,
  follow,
}: {
  readonly id: string
  readonly groups: readonly PaletteGroup[]
  readonly at: number
  readonly follow: (item: PaletteItem) => void
}): ReactNode {
  const firsts = groups.map((_, index) =>
    groups.slice(0, index).reduce((sum, { items }) => sum + items.length, 0),
  )
  return (
    <div className="palette-found" id={id} role="listbox" aria-label="what is found">
      {groups.map(({ label, items }, group) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is not a part of a listbox
        <div key={label} role="group" aria-label={label}>
          <p className="palette-group small quiet" aria-hidden="true">
            {label}
          </p>
          {items.map((item, index) => {
            const number = (firsts[group] ?? 0) + index
            return (
              // biome-ignore lint/a11y/useFocusableInteractive: the text keeps the focus
              // biome-ignore lint/a11y/useKeyWithClickEvents: keys are those of the text
              <div
                key={`${item.label} ${number}`}
                id={`${id}-${number}`}
                className={number === at ? 'palette-item palette-at' : 'palette-item'}
                role="option"
                aria-selected={number === at}
                onClick={() => follow(item)}
              >
                <span className="palette-label">{item.label}</span>
                <span className="quiet small palette-hint">{item.hint}</span>
              </div>
            )
          })}
        </div>
      ))}
    </div>
  )
}
