import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import type { PageName } from '../url/pages.ts'
import { Nav } from './nav.tsx'
import './drawer.css'

/** The pages where there is no room beside the one that is open: over it, from the side. */
export function Drawer({
  page,
  open,
  close,
}: {
  readonly page: PageName | null
  readonly open: boolean
  readonly close: () => void
}): ReactNode {
  const drawer = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = drawer.current
    if (open && element?.open === false) element.showModal()
    if (!open && element?.open === true) element.close()
  }, [open])
  // What is beside the drawer is its backdrop, which is the element itself.
  const handlePress = (event: MouseEvent): void => {
    if (event.target === drawer.current) close()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: escape closes it too
    <dialog
      className="drawer"
      ref={drawer}
      aria-label="navigation"
      onClose={close}
      onClick={handlePress}
    >
      {open ? <Nav page={page} followed={close} /> : null}
    </dialog>
  )
}
