/**
 * A button that opens a list of things to do or to choose. Arrow keys, home and end walk through it, a letter leads to
 * what begins with it, escape closes it, and focus returns to the button.
 */
import type { LucideIcon } from 'lucide-react'
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { go } from '../url/location.ts'
import { findMenuStep } from './menu-step.ts'
import './menu.css'

export type MenuItem = {
  readonly label: string
  readonly icon?: LucideIcon
  /** What else leads there, such as a key. */
  readonly hint?: string
  /** One of several that exclude each other; the menu stays open. */
  readonly checked?: boolean
} & (
  | { readonly run: () => void }
  /** `leaves`: a page that is not of the console. */
  | { readonly href: string; readonly leaves?: true }
)

export type MenuGroup = { readonly label: string; readonly items: readonly MenuItem[] }

export function Menu({
  label,
  button,
  className = '',
  groups,
}: {
  /** What the list is called. */
  readonly label: string
  /** Its words are what the button is called. */
  readonly button: ReactNode
  readonly className?: string
  readonly groups: readonly MenuGroup[]
}): ReactNode {
  const [open, setOpen] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const id = useId()
  const close = (): void => {
    setOpen(false)
    place.current?.querySelector('button')?.focus()
  }
  useEffect(() => {
    if (open) place.current?.querySelector<HTMLElement>('.menu-item')?.focus()
  }, [open])
  const handleLeft = ({ relatedTarget }: FocusEvent): void => {
    if (relatedTarget instanceof Node && !place.current?.contains(relatedTarget)) setOpen(false)
  }
  return (
    <div className="menu" ref={place}>
      <button
        type="button"
        className={className}
        aria-haspopup="menu"
        aria-expanded={open}
        {...(open ? { 'aria-controls': id } : {})}
        onClick={() => setOpen(!open)}
      >
        {button}
      </button>
      {open ? (
        <>
          {/* A press outside closes it, and presses nothing. */}
          <div className="menu-outside" aria-hidden="true" onPointerDown={close} />
          <div
            className="menu-list"
            id={id}
            role="menu"
            aria-label={label}
            tabIndex={-1}
            onKeyDown={(event) => walkMenu(event, close)}
            onBlur={handleLeft}
          >
            {groups.map((group) => (
              <Group key={group.label} group={group} close={close} />
            ))}
          </div>
        </>
      ) : null}
    </div>
  )
}

function walkMenu(event: KeyboardEvent<HTMLElement>, close: () => void): void {
  const { key, currentTarget } = event
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (key === 'Escape') {
    event.preventDefault()
    close()
    return
  }
  const items = [...currentTarget.querySelectorAll<HTMLElement>('.menu-item')]
  const at = items.findIndex((item) => item.matches(':focus'))
  const labels = items.map((item) => item.querySelector('.menu-words')?.textContent ?? '')
  const next = findMenuStep(labels, at, key)
  // A letter that leads nowhere is not a key of the page below either; space presses the item.
  if (next !== null || (key.length === 1 && key !== ' ')) event.preventDefault()
  if (next !== null) items[next]?.focus()
}

function Group({
  group: { label, items },
  close,
}: {
  readonly group: MenuGroup
  readonly close: () => void
}): ReactNode {
  const isChoice = items.some(({ checked }) => checked !== undefined)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is not a part of a menu
    <div className="menu-group" role="group" aria-label={label}>
      {isChoice ? (
        <span className="menu-label" aria-hidden="true">
          {label}
        </span>
      ) : null}
      {items.map((item) => (
        <Item key={item.label} item={item} close={close} />
      ))}
    </div>
  )
}

function Item({ item, close }: { readonly item: MenuItem; readonly close: () => void }): ReactNode {
  const { label, icon: Icon, hint, checked } = item
  const follow = (): void => {
    if (checked === undefined) close()
    if ('run' in item) item.run()
    else if (item.leaves === true) location.assign(item.href)
    else go(item.href)
  }
  return (
    <button
      type="button"
      className="menu-item"
      tabIndex={-1}
      {...(checked === undefined
        ? { role: 'menuitem' }
        : { role: 'menuitemradio', 'aria-checked': checked })}
      onClick={follow}
    >
      {Icon === undefined ? null : <Icon className="icon" aria-hidden="true" />}
      <span className="menu-words">{label}</span>
      {hint === undefined ? null : <kbd>{hint}</kbd>}
      {checked === true ? (
        <span className="menu-checked" aria-hidden="true">
          ✔
        </span>
      ) : null}
    </button>
  )
}
