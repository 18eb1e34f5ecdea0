/**
 * Stands in for a page that could not be loaded or drawn. Its files have names of their bytes: after an update of the
 * server those of before are gone, and loading the console again brings the new ones.
 */
import { Component, type ReactNode } from 'react'
import { Empty } from '../parts/outcomes.tsx'

type PageFaultProps = { readonly title: string; readonly children: ReactNode }
type PageFaultState = { readonly fault: boolean }

export class PageFault extends Component<PageFaultProps, PageFaultState> {
  override state: PageFaultState = { fault: false }

  static getDerivedStateFromError(): PageFaultState {
    return { fault: true }
  }

  override render(): ReactNode {
    const { title, children } = this.props
    if (!this.state.fault) return children
    return (
      <main className="page" id="main" tabIndex={-1}>
        <header className="page-head">
          <h1>{title}</h1>
        </header>
        <Empty what="This page could not be shown: the server may have stopped, or been updated since the console was opened.">
          <p>
            <button type="button" onClick={() => location.reload()}>
              Load it again
            </button>
          </p>
        </Empty>
      </main>
    )
  }
}
