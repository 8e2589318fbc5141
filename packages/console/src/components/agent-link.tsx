import type { ComponentChildren, VNode } from 'preact';
import { judgeLink } from '../text/link.ts';

interface Props {
  readonly href: string;
  readonly text: string;
  readonly children: ComponentChildren;
}

/** A link of an agent: opens apart, tells nobody where it was clicked, and says where it leads when its words do not. */
export function AgentLink({ href, text, children }: Props): VNode {
  const link = judgeLink(href, text);
  if (link === undefined) return <span>{children}</span>;
  return (
    <>
      <a href={link.href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
      {link.destination !== undefined && <span class="destination"> ({link.destination})</span>}
    </>
  );
}
