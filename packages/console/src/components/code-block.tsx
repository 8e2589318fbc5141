import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

export function CodeBlock({ text, language }: { readonly text: string; readonly language: string }): VNode {
  const [copied, setCopied] = useState(false);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <div class="code">
      <div class="code-head">
        <span>{language}</span>
        {window.isSecureContext && (
          <button type="button" class="quiet" onClick={copy} onBlur={() => setCopied(false)}>
            {copied ? 'Copied' : 'Copy'}
          </button>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide block is scrolled with the keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </div>
  );
}
