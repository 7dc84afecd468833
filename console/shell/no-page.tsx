import { CircleQuestionMark, Lock } from 'lucide-react';
import { Link } from 'wouter';
import { SCOPES } from '../keys/key-rules.ts';
import { texts as keyTexts } from '../keys/texts.ts';
import { EmptyState } from '../kit/placeholder.tsx';
import type { ConsolePage } from '../pages.ts';
import { texts } from '../texts.ts';

/** Shown if the user's key does not give access to `page`. If `page` is undefined, the page does not exist. */
export const NoPage = ({ page }: { page: ConsolePage | undefined }) => (
  <EmptyState
    title={page ? keyTexts.noAccess.title(page.title) : texts.shell.notFound}
    icon={page ? Lock : CircleQuestionMark}
    action={
      <Link className="button" href="/">
        {texts.shell.toOverview}
      </Link>
    }
  >
    {page?.scope ? keyTexts.noAccess.hint(SCOPES[page.scope].title) : texts.shell.notFoundHint}
  </EmptyState>
);
