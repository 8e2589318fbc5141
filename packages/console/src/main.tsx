import { render } from 'preact';
import { App } from './components/app.tsx';
import './styles/base.css';
import './styles/layout.css';
import './styles/sidebar.css';
import './styles/timeline.css';
import './styles/request.css';
import './styles/approval.css';
import './styles/question.css';
import './styles/decision.css';
import './styles/markdown.css';
import './styles/composer.css';

const place = document.querySelector('#app');
if (place !== null) render(<App />, place);
