import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { go } from './location.ts'

export type LinkProps = ComponentProps<'a'> & { readonly href: string; readonly replace?: boolean }

/** A link of the console: it changes the address without loading the page again. */
export function Link({ href, replace = false, onClick, ...rest }: LinkProps): ReactNode {
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event)
    const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0
    if (event.defaultPrevented || elsewhere) return
    event.preventDefault()
    go(href, { replace })
  }
  return <a {...rest} href={href} onClick={follow} />
}
