-- One row per story with an alert, the gravest first: the alert with the highest priority, in few columns. The view headline_alerts has all alerts, and everything behind them; headline_checks has the quotes that are not as printed.
SELECT alert, priority, outlet, published_at, headline, headline_quote, best_body_quote, reason, url, quote_id, to_check
FROM headline_alerts
WHERE of_story = 1
ORDER BY priority DESC, quote_id
