/** The keys of whatever is on the screen, and a page of them for `?`. */
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { type Binding, Chords, type Pressed } from './chord.ts'

type Bound = { add(bindings: () => readonly Binding[]): () => void; all(): readonly Binding[] }

const Keys = createContext<Bound | null>(null)

export function KeysProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const sets = useRef(new Set<() => readonly Binding[]>())
  const all = useCallback(() => [...sets.current].flatMap((bindings) => bindings()), [])
  const add = useCallback((bindings: () => readonly Binding[]) => {
    sets.current.add(bindings)
    return () => void sets.current.delete(bindings)
  }, [])
  // Before anything is seen: what is on the screen answers to its keys.
  useLayoutEffect(() => {
    const chords = new Chords()
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey || event.isComposing) return
      const meant = chords.press(toPressed(event), event.timeStamp, all())
      if (meant === null) return
      event.preventDefault()
      meant.run()
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [all])
  const bound = useMemo(() => ({ add, all }), [add, all])
  return <Keys value={bound}>{children}</Keys>
}

/** Binds keys while the caller is on the screen. */
export function useKeys(bindings: readonly Binding[]): void {
  const bound = useContext(Keys)
  const latest = useRef(bindings)
  latest.current = bindings
  useLayoutEffect(() => bound?.add(() => latest.current), [bound])
}

/** What can be pressed right now, asked for when `open`. */
export function useBoundKeys(open: boolean): readonly Binding[] {
  const bound = useContext(Keys)
  const [shown, show] = useState<readonly Binding[]>([])
  useEffect(() => {
    if (open) show(bound?.all() ?? [])
  }, [bound, open])
  return shown
}

const TEXT_FIELDS = 'input:not([type="checkbox"]), textarea, select, [contenteditable="true"]'

function toPressed(event: KeyboardEvent): Pressed {
  const { key, metaKey, ctrlKey } = event
  // Of an editor, which is in a shadow root, `target` is the frame around it.
  const [target = null] = event.composedPath()
  const inDialog = target instanceof Element && target.closest('dialog') !== null
  const inField = target instanceof Element && target.matches(TEXT_FIELDS)
  // Enter and space on a button or a link are its own.
  const pushes =
    (key === 'Enter' || key === ' ') &&
    target instanceof Element &&
    target.matches('a, button, summary')
  return { key, mod: metaKey || ctrlKey, typing: inField || inDialog || pushes }
}
