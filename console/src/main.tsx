import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { AppearanceProvider, applyAppearance } from './style/appearance.tsx'
import './style/typeface.css'
import './style/tokens.css'
import './style/base.css'
import './style/controls.css'

applyAppearance()
const place = document.getElementById('console')
if (place !== null)
  createRoot(place).render(
    <StrictMode>
      <AppearanceProvider>
        <App />
      </AppearanceProvider>
    </StrictMode>,
  )
